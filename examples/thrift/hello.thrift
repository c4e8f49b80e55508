// A service that greets.
service Hello {
  string greet(1: string name)
}
