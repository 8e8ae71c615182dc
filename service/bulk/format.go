package bulk

// A Format is how segments are written.
type Format string

// The formats.
const (
	JSONLines Format = "jsonl"
)

// Formats are all formats.
var Formats = []Format{JSONLines}

func (f Format) ending() string { return "." + string(f) }

// encode writes a segment.
func (f Format) encode(s *segment) ([]byte, error) { return s.data, nil }

// decode gives the results of a segment as JSON Lines.
func (f Format) decode(data []byte) ([]byte, error) { return data, nil }
