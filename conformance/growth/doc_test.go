// Package growth searches for work that grows faster than its input. It doubles one size of
// a document after another (how often an element of XML, a member of JSON, an object of a
// PDF or an entry of a rule file is there, how long its text is, how deep it nests), gives
// the document to each operation of the program, and measures the processor time:
//
//	make growth                 # a sample of the pairs of operation and size
//	make growth GROWTH=2h       # as many as there is time for
//
// What costs more per byte the more bytes there are is a finding.
package growth
