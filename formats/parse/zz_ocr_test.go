package parse_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/ocr"
)

func TestZZOCR(t *testing.T) {
	path := os.Getenv("DUMPOCR")
	if path == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(path)
	p, _ := ocr.Choose(context.Background(), "", "")
	r, err := parse.File(context.Background(), data, parse.Limits{}, p)
	if err != nil {
		t.Fatal(err)
	}
	parse.Dump(r)
	fmt.Println(len(r.Invoice.Lines))
}
