package cli

import (
	"io"

	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/watch"
)

// Machines are what bulk jobs need that are not of one machine alone. einvoice has none of
// them, and einvoiced all: a broker and a store of objects are of no use at a desk.
type Machines struct {
	// Broker shares a job over the servers of NATS at some addresses.
	Broker func(addresses string, replicas int) bulk.Broker
	// Target and Source open places of S3.
	Target func(name, work string) (bulk.Target, error)
	Source func(name string, limit int64) (Source, error)
	// Inbox is a place of S3 that a line watches; From and To are subjects of NATS that it takes
	// documents from, and publishes results to.
	Inbox func(name, work string) (watch.Source, error)
	From  func(addresses, subject string) watch.Source
	To    func(addresses, subject string) watch.Target
	// Formats are those of segments besides JSON Lines.
	Formats []bulk.Format
}

// A Source is closed after its use.
type Source interface {
	bulk.Source
	io.Closer
}

// objectStore begins names of places of S3.
const objectStore = "s3://"

// subject begins names of subjects of NATS.
const subject = "nats:"

// codeProgram is the error of what the other program does.
const codeProgram = "BULK-PROGRAM"

// needsMachines is the error of a program without them.
func needsMachines(what string) error {
	return &problem.Error{Code: codeProgram, Message: what + " needs einvoiced, the program for work over several machines", Remedy: "make einvoiced"}
}

// broker is what shares a job; nil where no addresses are given.
func (m Machines) broker(c cluster) (bulk.Broker, error) {
	switch {
	case c.addresses == "":
		return nil, nil
	case m.Broker == nil:
		return nil, needsMachines("--nats")
	}
	return m.Broker(c.addresses, c.replicas), nil
}

// A cluster is where NATS is, and on how many of its servers a stream is kept.
type cluster struct {
	addresses string
	replicas  int
}
