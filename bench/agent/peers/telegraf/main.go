// Telegraf with only its statsd input and its HTTP output. At its end it prints the number of packets that the input took.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/influxdata/telegraf/agent"
	"github.com/influxdata/telegraf/config"
	_ "github.com/influxdata/telegraf/plugins/inputs/statsd"
	_ "github.com/influxdata/telegraf/plugins/outputs/http"
	_ "github.com/influxdata/telegraf/plugins/serializers/prometheusremotewrite"
	"github.com/influxdata/telegraf/selfstat"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("telegraf-statsd CONFIG: runs until SIGTERM")
	}
	settings := config.NewConfig()
	if err := settings.LoadConfig(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	ends, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := agent.NewAgent(settings).Run(ends); err != nil && ends.Err() == nil {
		log.Fatal(err)
	}
	packets, dropped := int64(0), int64(0)
	for _, metric := range selfstat.Metrics() {
		for name, value := range metric.Fields() {
			count, _ := value.(int64)
			switch name {
			case "udp_packets_received":
				packets += count
			case "udp_packets_dropped":
				dropped += count
			}
		}
	}
	fmt.Printf("account: %d packets, %d dropped\n", packets, dropped)
}
