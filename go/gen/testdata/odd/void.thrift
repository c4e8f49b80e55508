namespace go odd.calls
service Void {
  void go(),
  oneway void away(),
}
service None {}
