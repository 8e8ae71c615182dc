// Command einvoiced is einvoice with what bulk jobs over several machines need: NATS, S3 and
// Parquet.
//
//	einvoiced bulk run validate --in s3://bills/2025 --out s3://bills/results --nats nats://broker:4222
package main

import (
	"os"

	"einvoice/cmd/internal/cli"
	"einvoice/service/bulk"
	"einvoice/service/bulk/nats"
	"einvoice/service/bulk/parquet"
	"einvoice/service/bulk/s3"
	"einvoice/service/watch"
)

func main() {
	os.Exit(cli.Main(cli.Machines{
		Broker: func(addresses string, replicas int) bulk.Broker {
			return nats.Cluster{URL: addresses, Replicas: replicas}.Open
		},
		Target: func(name, work string) (bulk.Target, error) { return s3.OpenTarget(name, work) },
		Source: func(name string, limit int64) (cli.Source, error) { return s3.OpenSource(name, limit) },
		Inbox:  func(name, work string) (watch.Source, error) { return s3.OpenInbox(name, work) },
		From: func(addresses, subject string) watch.Source {
			return &nats.In{Subject: nats.Subject{URL: addresses, Name: subject}}
		},
		To: func(addresses, subject string) watch.Target {
			return &nats.Out{Subject: nats.Subject{URL: addresses, Name: subject}}
		},
		Formats: []bulk.Format{parquet.Format},
	}))
}
