package parse_test

import (
	"os"
	"testing"

	"einvoice/formats/parse/madepages"
)

func TestZZMade(t *testing.T) {
	dir := os.Getenv("MADE")
	if dir == "" {
		t.Skip()
	}
	for _, f := range madepages.Families() {
		for _, l := range madepages.Languages() {
			m, _ := madepages.Make(f, l, 1)
			os.WriteFile(dir+"/"+m.Name+".pdf", m.PDF, 0o644)
		}
	}
}
