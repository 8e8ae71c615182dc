package bulk

// A Format is how segments are written.
type Format string

// The formats.
const (
	JSONLines Format = "jsonl"
	Parquet   Format = "parquet"
)

// Formats are all formats.
var Formats = []Format{JSONLines, Parquet}

func (f Format) ending() string { return "." + string(f) }

// encode writes a segment.
func (f Format) encode(s *segment) ([]byte, error) {
	if f == Parquet {
		return encodeParquet(s)
	}
	return s.data, nil
}

// decode gives the results of a segment as JSON Lines.
func (f Format) decode(data []byte) ([]byte, error) {
	if f == Parquet {
		return decodeParquet(data)
	}
	return data, nil
}
