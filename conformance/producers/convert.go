// Command producers makes PDF/A-3b of every PDF in some folders, and says of each
// whether it was converted or why it was refused.
//
//	go run ./conformance/producers OUT DIR...
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model/numeral"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: producers OUT DIR...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out string, dirs []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	converted, refused := 0, 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".pdf") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			result, err := convert(data)
			if err != nil {
				refused++
				fmt.Printf("refused    %s\n", filepath.Base(path))
				report(err)
				return nil
			}
			converted++
			fmt.Printf("converted  %s: %s\n", filepath.Base(path), numeral.Count(result.Pages, "page"))
			for _, change := range result.Changes {
				fmt.Printf("           page %d: %s\n", change.Page, change.What)
			}
			return os.WriteFile(filepath.Join(out, filepath.Base(path)), result.Data, 0o644)
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("%d converted, %d refused\n", converted, refused)
	return nil
}

// convert attaches an invoice, whose content is not read.
func convert(data []byte) (*archive.Converted, error) {
	return archive.Convert(data, archive.Metadata{
		Date:    new(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)),
		Invoice: &archive.Invoice{FileName: "factur-x.xml", ConformanceLevel: "EN 16931", Version: "1.0"},
	}, []archive.File{{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Alternative", Data: []byte("<invoice/>")}}, pdf.Limits{})
}

func report(err error) {
	refusal, ok := errors.AsType[*archive.Refused](err)
	if !ok {
		fmt.Println("          ", err)
		return
	}
	for _, reason := range refusal.Reasons {
		fmt.Println("          ", reason)
	}
}
