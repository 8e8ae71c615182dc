//go:build machines

package cli

import (
	"os"

	"einvoice/service/bulk"
	"einvoice/service/bulk/nats"
	"einvoice/service/bulk/parquet"
	"einvoice/service/bulk/s3"
)

func init() {
	overMachines = func(programs map[string]func()) {
		if settings := os.Getenv(brokerSettings); settings != "" {
			serveBroker(settings)
		}
		programs["einvoiced"] = func() { os.Exit(Main(machines)) }
	}
}

// machines are those of einvoiced.
var machines = Machines{
	Broker: func(addresses string, replicas int) bulk.Broker {
		return nats.Cluster{URL: addresses, Replicas: replicas}.Open
	},
	Target:  func(name, work string) (bulk.Target, error) { return s3.OpenTarget(name, work) },
	Source:  func(name string, limit int64) (Source, error) { return s3.OpenSource(name, limit) },
	Formats: []bulk.Format{parquet.Format},
}
