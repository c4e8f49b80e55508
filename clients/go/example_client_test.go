package agentclient_test

import (
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"

	agentclient "hone/clients/go"
)

// A service registers its metrics once, and gives samples by their handles; a socket of this program takes the agent's place.
func Example() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "agent.sock")
	agent, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		log.Fatal(err)
	}
	defer agent.Close()

	client, err := agentclient.New(agentclient.Config{Address: "unixgram:" + path}) // the default is the socket of the agent
	if err != nil {
		log.Fatal(err)
	}
	client.Counter("orders", agentclient.T("shop", "eu")).Add(1)
	client.Gauge("queue.length").Set(12)
	client.Timer("checkout.ms").Record(35 * time.Millisecond)
	client.Record(agentclient.KindCounter, "responses", 1, agentclient.T("status", "200")) // with tags that are only known now
	client.Close()

	counts := client.Counts()
	fmt.Println("given", counts.Given, "sent", counts.Sent, "dropped", counts.Dropped())
	// Output: given 4 sent 4 dropped 0
}

// A series that the protocol cannot carry stops no service: its samples are dropped and counted.
func ExampleCounter_Refused() {
	client, err := agentclient.New(agentclient.Config{Address: "unixgram:/nobody/listens/here"})
	if err != nil {
		log.Fatal(err)
	}
	orders := client.Counter("orders", agentclient.T("shop name", "eu"))
	orders.Add(1)
	fmt.Println(orders.Refused())
	client.Close()
	fmt.Println("dropped for the series:", client.Counts().DroppedFor[agentclient.ReasonSeries])
	// Output:
	// a tag has a space or '|' in it, or its key has '='
	// dropped for the series: 1
}

// A timer measures the time until a function returns.
func ExampleTimer_Start() {
	client, err := agentclient.New(agentclient.Config{Address: "unixgram:/nobody/listens/here"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	checkout := client.Timer("checkout.ms")
	func() {
		defer checkout.Start().Stop()
		// the work
	}()
	fmt.Println("samples:", client.Counts().Given)
	// Output: samples: 1
}
