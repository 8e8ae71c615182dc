package pdf

import (
	"bytes"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// mostFilters is how many times over a stream may be encoded. Two are seen; the
// library would apply thousands, each to as much as it may decode.
const mostFilters = 8

// longestGap is how far white space and comments are followed.
const longestGap = 128

var filterNames = map[string]bool{
	"FlateDecode": true, "Fl": true, "LZWDecode": true, "LZW": true, "ASCIIHexDecode": true, "AHx": true,
	"ASCII85Decode": true, "A85": true, "RunLengthDecode": true, "RL": true, "CCITTFaxDecode": true, "CCF": true,
}

// checkFilters refuses files with streams that are encoded too many times over.
// The library decodes some while it opens a file, so this looks at the bytes.
func checkFilters(data []byte) error {
	for {
		i := bytes.IndexByte(data, '[')
		if i < 0 {
			return nil
		}
		data = data[i+1:]
		rest := data
		for n := 0; ; n++ {
			if n > mostFilters {
				return tooManyFilters()
			}
			var ok bool
			if rest, ok = skipFilter(rest); !ok {
				break
			}
		}
	}
}

func tooManyFilters() *Error {
	return beyond("a stream of the PDF is encoded more than the %d times over that are allowed", mostFilters)
}

// skipFilter skips the name of a filter, and what is before it.
func skipFilter(data []byte) (rest []byte, ok bool) {
	data = skipGap(data)
	if len(data) == 0 || data[0] != '/' {
		return data, false
	}
	end := 1
	for end < len(data) && end < 100 && !isGap(data[end]) && !bytes.ContainsRune([]byte("/[]<>()%"), rune(data[end])) {
		end++
	}
	name, err := types.DecodeName(string(data[1:end]))
	return data[end:], err == nil && filterNames[name]
}

func skipGap(data []byte) []byte {
	comment := false
	for i, c := range data[:min(len(data), longestGap)] {
		switch {
		case c == '\n' || c == '\r':
			comment = false
		case c == '%':
			comment = true
		case !comment && !isGap(c):
			return data[i:]
		}
	}
	return nil
}

// isGap takes for white space whatever a lenient parser might.
func isGap(c byte) bool { return c <= ' ' || c >= 0x7F }
