package inspect

import (
	"bytes"
	"strconv"

	"einvoice/formats/pdf"
	"einvoice/model"
)

// longestVersion bounds what is shown of a header line; a sound one has three bytes
// after its mark.
const longestVersion = 16

var (
	headerMark = []byte("%PDF-")
	endMark    = []byte("%%EOF")
)

// ends describes what the file begins and ends with.
func (i *inspector) ends(file []byte) {
	if start := bytes.Index(file, headerMark); start >= 0 {
		line := file[start+len(headerMark):]
		if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
			line = line[:end]
		}
		line = line[:min(len(line), longestVersion)]
		i.out.Header = &model.FileHeader{Offset: model.NewNumber(strconv.Itoa(start)), Version: optional(pdf.Printable(string(line)))}
	}
	if last := bytes.LastIndex(file, endMark); last >= 0 {
		rest := withoutLineEnd(file[last+len(endMark):])
		i.out.BytesAfterEnd = model.NewNumber(strconv.Itoa(len(rest)))
	}
}

// withoutLineEnd is data without the one line end that it may begin with.
func withoutLineEnd(data []byte) []byte {
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if rest, ok := bytes.CutPrefix(data, []byte(end)); ok {
			return rest
		}
	}
	return data
}
