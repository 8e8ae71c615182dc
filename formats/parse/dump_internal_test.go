package parse

import (
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("DUMP"))
	if err != nil {
		t.Skip()
	}
	sheets, err := readSheets(data, Limits{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	d, err := read(t.Context(), sheets, Limits{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.layout.rows {
		s := ""
		for i := range r.cells {
			s += fmt.Sprintf("[%.0f:%s] ", r.cells[i].left, r.cells[i].text())
		}
		fmt.Println(r.page, d.isLine[r.index], fmt.Sprintf("%.0f", r.top), s)
	}
	for i := range d.amounts {
		fmt.Println(d.amounts[i].value, d.amounts[i].labels)
	}
	for i := range d.lines {
		l := &d.lines[i]
		s := ""
		for f, n := range l.numbers {
			s += f + "=" + n.decimal() + " "
		}
		fmt.Println("LINE", s, textOf(l.name), "|", l.texts)
	}
	for _, r := range d.layout.rows {
		if c := columnsOf(r); c != nil {
			fmt.Println("HEAD", c)
		}
	}
	fmt.Printf("%+v\n", d.chain)
	for f, c := range d.header {
		fmt.Println(f, c.value, c.score)
	}
}
