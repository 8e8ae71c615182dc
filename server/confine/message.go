package confine

import (
	"net/http"
	"time"
)

// A Call is a piece of work: a request whose body was read.
type Call struct {
	Method, URL string
	Header      http.Header
	Body        []byte
	// Time is how long the work may take, so that the process may end it by itself.
	Time time.Duration
}

// A Reply is the answer to a call.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	// Notes are for the log and the metrics of the owner, in a form that both know.
	Notes []byte
}

// An Owner is whoever called, as the work sees it.
type Owner interface {
	// Take reserves memory in bytes before it is used. An error refuses the work.
	Take(bytes int64) error
	// Leave gives the place to work to others while a function waits for the network. The
	// error is that no place came free afterwards.
	Leave(wait func()) error
}

// A message is what owner and process tell each other. One of its fields is set.
type message struct {
	Body   int    // bytes of the body of Call or Reply, which comes after the message
	Setup  []byte // to the process, first: what it has to know
	Call   *Call  // to the process: do this
	Cancel bool   // to the process: stop
	Answer *grant // to the process: what came of Take, Away or Back

	Take  int64  // to the owner: may this much memory be used?
	Away  bool   // to the owner: the place is free
	Back  bool   // to the owner: a place is needed again
	Reply *Reply // to the owner: it is done
}

// A grant answers a question of the process.
type grant struct{ Refused bool }
