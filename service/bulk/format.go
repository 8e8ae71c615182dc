package bulk

import (
	"slices"

	"einvoice/model/problem"
)

// JSONLines is the name of the format that every program has: the results as they are.
const JSONLines = "jsonl"

// A Format is another way to write segments.
type Format struct {
	Name   string // and the ending of its files
	Encode func(rows []Row) ([]byte, error)
	Decode func(data []byte) (lines []byte, err error)
}

// A Row is a document of a segment.
type Row struct {
	Key, Hash string
	Outcome   *Outcome
	Result    []byte // a line of JSON
}

// formatNamed is a format of those that the program has.
func formatNamed(name string, known []Format) (*Format, error) {
	if name == JSONLines {
		return &Format{Name: name}, nil
	}
	at := slices.IndexFunc(known, func(f Format) bool { return f.Name == name })
	if at < 0 {
		return nil, &problem.Error{Code: CodeFormat, Message: "segments of the format " + name + " cannot be read or written by this program", Remedy: "use einvoiced (make einvoiced)"}
	}
	return &known[at], nil
}

// encode writes a segment.
func (f *Format) encode(s *segment) ([]byte, error) {
	if f.Encode == nil {
		return s.data, nil
	}
	rows := make([]Row, len(s.rows))
	data := s.data
	for i := range s.rows {
		r := &s.rows[i]
		rows[i] = Row{r.key, r.Hash, &r.Outcome, data[:r.Length]}
		data = data[r.Length:]
	}
	return f.Encode(rows)
}

// decode gives the results of a segment as JSON Lines.
func (f *Format) decode(data []byte) ([]byte, error) {
	if f.Decode == nil {
		return data, nil
	}
	return f.Decode(data)
}
