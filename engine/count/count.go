// Package count counts what validations do, for who looks where their time goes:
//
//	go test -tags counters -run TestCounters -v ./service/validate
//
// Without the tag On is false, and the compiler leaves out what stands behind it:
//
//	if count.On {
//		count.Asked++
//	}
//
// The counters are not for several goroutines at a time.
package count

// What is counted.
var (
	Nodes   int64 // elements and attributes that a walk went through
	Tried   int64 // contexts and paths of rows that were looked at for a node
	Decided int64 // those among them whose predicates had to be decided
	Asked   int64 // assertions that were evaluated, at a node each
	Rows    int64 // rows of tables that were asked, at a node each
	Groups  int64 // contexts over the invoice that were looked for
)
