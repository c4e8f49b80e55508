package agentclient

import (
	"sync"
	"testing"
	"time"
)

// The test makes calls of all kinds at the same time: no sample is lost without being counted, and no call waits for ever.
func TestCallsOfAllKindsAtTheSameTime(t *testing.T) {
	client, err := New(Config{Address: "unixgram:/nobody/is/here", QueuePackets: 2, FlushEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	counter := client.Counter("c")
	var all sync.WaitGroup
	for range 4 {
		all.Add(2)
		go func() {
			defer all.Done()
			for range 5000 {
				counter.Add(1)
				client.Record(KindGauge, "g", 1, T("a b", ""))
			}
		}()
		go func() {
			defer all.Done()
			for range 20 {
				client.Flush()
				client.Counts()
			}
			client.Close()
		}()
	}
	all.Wait()
	client.Flush()
	counts := client.Counts()
	if counts.Given != 40_000 || counts.Given != counts.Dropped()+counts.Waiting {
		t.Errorf("%+v", counts)
	}
	if counts.DroppedFor[ReasonSeries] != 20_000 {
		t.Errorf("%+v", counts)
	}
}
