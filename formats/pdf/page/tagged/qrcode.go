package tagged

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// A QRCode is a QR code to draw.
type QRCode struct{ *qr.Code }

// Runs calls do for each row of dark modules.
func (q *QRCode) Runs(do func(row, from, to int)) {
	for row := range q.Size {
		for from := 0; from < q.Size; from++ {
			to := from
			for q.Black(to, row) {
				to++
			}
			if to > from {
				do(row, from, to)
				from = to
			}
		}
	}
}

// Path is the dark modules of a QR code as a path of SVG.
func (q *QRCode) Path() string {
	var b strings.Builder
	q.Runs(func(row, from, to int) { fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from, row, to-from, to-from) })
	return b.String()
}
