package pdf

import (
	"bytes"

	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxFilters is how many filters a stream may have. Two are seen in practice;
// pdfcpu would apply thousands, each of which may decode as much as is allowed.
const maxFilters = 8

func tooManyFilters() *problem.Error {
	return limitExceeded("a stream of the PDF is encoded more than the %d times over that are allowed", maxFilters)
}

// maxGap is how much white space and comments are skipped between two filters.
const maxGap = 128

var filterNames = map[string]bool{
	"FlateDecode": true, "Fl": true, "LZWDecode": true, "LZW": true, "ASCIIHexDecode": true, "AHx": true,
	"ASCII85Decode": true, "A85": true, "RunLengthDecode": true, "RL": true, "CCITTFaxDecode": true, "CCF": true,
}

// checkFilters refuses a file with an array of too many filters. pdfcpu decodes some
// streams while it opens a file, so this looks at the bytes before.
func checkFilters(data []byte) error {
	for {
		i := bytes.IndexByte(data, '[')
		if i < 0 {
			return nil
		}
		data = data[i+1:]
		rest := data
		for n := 0; ; n++ {
			if n > maxFilters {
				return tooManyFilters()
			}
			var ok bool
			if rest, ok = skipFilter(rest); !ok {
				break
			}
		}
	}
}

// skipFilter skips the name of a filter, and the gap before it.
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
	for i, c := range data[:min(len(data), maxGap)] {
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

// isGap accepts as white space whatever a lenient parser might accept.
func isGap(c byte) bool { return c <= ' ' || c >= 0x7F }
