// Command driver reads commands from its standard input, one in each line, and runs them with a client. The commands are those of
// clients/rust/examples/driver/driver.rs.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	agent "hone/clients/go"
)

func main() {
	var client *agent.Client
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		answer := "ok"
		switch words[0] {
		case "start":
			started, err := agent.New(config(words[1:]))
			if err != nil {
				answer = err.Error()
			} else {
				client = started
			}
		case "handle", "adhoc":
			var tags []agent.Tag
			for at := 4; at < len(words); at += 2 {
				tags = append(tags, agent.T(text(words[at]), text(words[at+1])))
			}
			if words[0] == "handle" {
				byHandle(client, words[1], text(words[2]), words[3], tags)
			} else {
				adHoc(client, words[1], text(words[2]), words[3], tags)
			}
		case "load":
			load(client, int(number(words[1])), int(number(words[2])), words[3])
		case "time":
			answer = strconv.FormatInt(measure(client, words[1], int(number(words[2])), int(number(words[3]))).Nanoseconds(), 10)
		case "flush":
			client.Flush()
			answer = counts(client)
		case "counts":
			answer = counts(client)
		case "close":
			client.Close()
			answer = counts(client)
		default:
			panic("told " + lines.Text())
		}
		fmt.Println(answer)
	}
}

func config(words []string) agent.Config {
	return agent.Config{
		Address:      words[0],
		PacketBytes:  int(number(words[1])),
		QueuePackets: int(number(words[2])),
		Shards:       int(number(words[3])),
		FlushEvery:   time.Duration(number(words[4])) * time.Millisecond,
		CloseWithin:  time.Duration(number(words[5])) * time.Millisecond,
	}
}

func number(word string) uint64 {
	value, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return value
}

func text(word string) string {
	bytes, err := hex.DecodeString(strings.Trim(word, "."))
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

func double(word string) float64 {
	bits, err := strconv.ParseUint(word, 16, 64)
	if err != nil {
		panic(err)
	}
	return math.Float64frombits(bits)
}

func byHandle(client *agent.Client, letter, metric, value string, tags []agent.Tag) {
	switch letter {
	case "c":
		client.Counter(metric, tags...).Add(double(value))
	case "r":
		client.Rate(metric, tags...).Add(double(value))
	case "g":
		client.Gauge(metric, tags...).Set(double(value))
	case "t":
		client.Timer(metric, tags...).RecordMs(double(value))
	case "n":
		client.Timer(metric, tags...).Record(time.Duration(number(value)))
	case "h":
		client.Histogram(metric, tags...).Record(double(value))
	case "d":
		client.Distribution(metric, tags...).Record(double(value))
	case "s":
		client.Set(metric, tags...).Insert(text(value))
	default:
		panic("no type " + letter)
	}
}

func adHoc(client *agent.Client, letter, metric, value string, tags []agent.Tag) {
	switch letter {
	case "n":
		client.RecordDuration(metric, time.Duration(number(value)), tags...)
	case "s":
		client.Insert(metric, text(value), tags...)
	default:
		client.Record(agent.Kind(letter[0]), metric, double(value), tags...)
	}
}

// load gives samples with sums and counts that a test can check.
func load(client *agent.Client, threads, count int, letters string) {
	tag := agent.T("k", "v")
	counter, rate, gauge := client.Counter("load.c", tag), client.Rate("load.r", tag), client.Gauge("load.g", tag)
	timer, histogram := client.Timer("load.t", tag), client.Histogram("load.h", tag)
	distribution, set := client.Distribution("load.d", tag), client.Set("load.s", tag)
	inThreads(threads, func() {
		for sample := range count {
			for _, letter := range letters {
				switch letter {
				case 'c':
					counter.Add(1)
				case 'r':
					rate.Add(2)
				case 'g':
					gauge.Set(float64(sample))
				case 't':
					timer.Record(time.Duration(sample%1000) * time.Microsecond)
				case 'h':
					histogram.Record(float64(sample%100) / 4)
				case 'd':
					distribution.Record(float64(sample % 100))
				case 's':
					set.Insert("m" + strconv.Itoa(sample%100))
				}
			}
		}
	})
}

func inThreads(threads int, do func()) {
	var all sync.WaitGroup
	for range threads {
		all.Add(1)
		go func() {
			defer all.Done()
			do()
		}()
	}
	all.Wait()
}

func measure(client *agent.Client, how string, threads, count int) time.Duration {
	tags := []agent.Tag{agent.T("shop", "eu"), agent.T("paid", "yes"), agent.T("kind", "book")}
	handle := client.Counter("bench.orders", tags...)
	isByHandle := how == "handle"
	start := time.Now()
	inThreads(threads, func() {
		for range count {
			if isByHandle {
				handle.Add(1)
			} else {
				client.Record(agent.KindCounter, "bench.orders", 1, tags...)
			}
		}
	})
	return time.Since(start)
}

func counts(client *agent.Client) string {
	counts := client.Counts()
	answer := fmt.Sprint(counts.Given, counts.Sent, counts.Waiting, counts.Packets)
	for _, dropped := range counts.DroppedFor {
		answer += fmt.Sprintf(" %d", dropped)
	}
	return answer
}
