// Package parquet writes segments of bulk jobs as Parquet, for tools that read columns.
package parquet

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/service/bulk"

	"github.com/parquet-go/parquet-go"
)

// Format is the form of segments.
var Format = bulk.Format{Name: "parquet", MediaType: "application/vnd.apache.parquet", Write: write, Decode: decode}

// A row is a document in a segment of Parquet: what is counted of it in columns, and
// its result as the JSON that a segment of JSON Lines has.
type row struct {
	File     string `parquet:"file"`
	SHA256   string `parquet:"sha256,optional"`
	Verdict  string `parquet:"verdict,dict"`
	Seller   string `parquet:"seller,optional,dict"`
	Month    string `parquet:"month,optional,dict"`
	Findings int64  `parquet:"findings"`
	Changed  bool   `parquet:"changed"`
	Rules    []rule `parquet:"rules,list"`
	Result   []byte `parquet:"result,json"`
}

type rule struct {
	Rule     string `parquet:"rule,dict"`
	Level    string `parquet:"level,dict"`
	Findings int64  `parquet:"findings"`
}

// writers have buffers that are larger than a segment.
var writers = sync.Pool{New: func() any {
	return parquet.NewGenericWriter[row](nil, parquet.Compression(&parquet.Zstd))
}}

// rowGroup is how many documents wait in memory before they are written.
const rowGroup = 4096

// A writer writes one file.
type writer struct {
	*parquet.GenericWriter[row]
	waiting int
}

func write(to io.Writer) bulk.RowWriter {
	w := writers.Get().(*parquet.GenericWriter[row])
	w.Reset(to)
	return &writer{GenericWriter: w}
}

// Close writes the rest, and gives the buffers back.
func (w *writer) Close() error {
	err := w.GenericWriter.Close()
	writers.Put(w.GenericWriter)
	return err
}

// WriteRows writes documents.
func (w *writer) WriteRows(documents []bulk.Row) error {
	rows := make([]row, len(documents))
	for i := range documents {
		d, o := &documents[i], documents[i].Outcome
		rows[i] = row{
			File: d.Key, Verdict: string(o.Verdict), Seller: o.Seller, Month: o.Month,
			Findings: int64(o.Findings), Changed: o.Changed, Result: bytes.TrimSuffix(d.Result, []byte("\n")),
		}
		if sum, ok := strings.CutPrefix(d.Hash, bulk.HashPrefix); ok {
			rows[i].SHA256 = sum
		}
		for _, id := range slices.Sorted(maps.Keys(o.Rules)) {
			rows[i].Rules = append(rows[i].Rules, rule{id, o.Rules[id].Level, int64(o.Rules[id].Findings)})
		}
	}
	_, err := w.Write(rows)
	if w.waiting += len(rows); err == nil && w.waiting >= rowGroup {
		w.waiting = 0
		err = w.Flush()
	}
	return err
}

// decode returns the results of a segment as JSON Lines.
func decode(data []byte) ([]byte, error) {
	rows, err := parquet.Read[row](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("a segment of Parquet: %w", err)
	}
	var out []byte
	for i := range rows {
		out = append(append(out, rows[i].Result...), '\n')
	}
	return out, nil
}
