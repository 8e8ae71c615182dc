package parse

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(path)
	sheets, err := readSheets(data, Limits{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	l := newLayout(sheets)
	for _, r := range l.rows {
		var b strings.Builder
		for i := range r.cells {
			c := &r.cells[i]
			fmt.Fprintf(&b, " [%.0f-%.0f s%.1f b%v| %s]", c.left, c.right, c.words()[0].Size, c.words()[0].Bold, c.text())
		}
		fmt.Printf("p%d y%.0f-%.0f%s\n", r.page, r.top, r.bottom, b.String())
	}
}

func Dump(r *Result) {
	l := newLayout(r.sheets)
	for _, r := range l.rows {
		var b strings.Builder
		for i := range r.cells {
			c := &r.cells[i]
			fmt.Fprintf(&b, " [%.0f-%.0f s%.1f| %s]", c.left, c.right, c.words()[0].Size, c.text())
		}
		fmt.Printf("p%d y%.0f-%.0f%s\n", r.page, r.top, r.bottom, b.String())
	}
}
