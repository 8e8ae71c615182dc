package bulk

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"
)

// A parquetRow is a document in a segment of Parquet: what is counted of it in columns, and
// its result as the JSON that a segment of JSON Lines has.
type parquetRow struct {
	File     string        `parquet:"file"`
	SHA256   string        `parquet:"sha256,optional"`
	Verdict  string        `parquet:"verdict,dict"`
	Seller   string        `parquet:"seller,optional,dict"`
	Month    string        `parquet:"month,optional,dict"`
	Findings int64         `parquet:"findings"`
	Changed  bool          `parquet:"changed"`
	Rules    []parquetRule `parquet:"rules,list"`
	Result   []byte        `parquet:"result,json"`
}

type parquetRule struct {
	Rule     string `parquet:"rule,dict"`
	Level    string `parquet:"level,dict"`
	Findings int64  `parquet:"findings"`
}

// parquetWriters have buffers that are larger than a segment.
var parquetWriters = sync.Pool{New: func() any {
	return parquet.NewGenericWriter[parquetRow](nil, parquet.Compression(&parquet.Zstd))
}}

// encodeParquet writes a segment.
func encodeParquet(s *segment) ([]byte, error) {
	rows := make([]parquetRow, len(s.rows))
	data := s.data
	for i := range s.rows {
		r := &s.rows[i]
		line := data[:r.Length]
		data = data[r.Length:]
		rows[i] = parquetRow{
			File: r.key, Verdict: string(r.Verdict), Seller: r.Seller, Month: r.Month,
			Findings: int64(r.Findings), Changed: r.Changed, Result: bytes.TrimSuffix(line, []byte("\n")),
		}
		if sum, ok := bytes.CutPrefix([]byte(r.Hash), []byte(hashPrefix)); ok {
			rows[i].SHA256 = string(sum)
		}
		for _, id := range slices.Sorted(maps.Keys(r.Rules)) {
			rows[i].Rules = append(rows[i].Rules, parquetRule{id, r.Rules[id].Level, int64(r.Rules[id].Findings)})
		}
	}
	var out bytes.Buffer
	w := parquetWriters.Get().(*parquet.GenericWriter[parquetRow])
	defer parquetWriters.Put(w)
	w.Reset(&out)
	_, err := w.Write(rows)
	if err == nil {
		err = w.Close() // which writes the rest
	}
	return out.Bytes(), err
}

// decodeParquet gives the results of a segment as JSON Lines.
func decodeParquet(data []byte) ([]byte, error) {
	rows, err := parquet.Read[parquetRow](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("a segment of Parquet: %w", err)
	}
	var out []byte
	for i := range rows {
		out = append(append(out, rows[i].Result...), '\n')
	}
	return out, nil
}
