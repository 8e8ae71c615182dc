// Command prepare writes what the program for browsers has in place of the tables of large
// libraries, into the packages that read it.
//
//	go run ./cmd/wasm/prepare
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"einvoice/formats/pdf/font"
	"einvoice/formats/pdf/page/language/country/cldr"
	"einvoice/model/tongue"
)

func main() {
	fonts, err := font.ForBrowsers()
	if err == nil {
		err = write("formats/pdf/font/browser", fonts)
	}
	if err == nil {
		countries := map[string][]byte{}
		for _, tag := range tongue.Tags() {
			countries[tag+".bin"] = cldr.List(tag)
		}
		err = write("formats/pdf/page/language/country/browser", countries)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(folder string, files map[string][]byte) error {
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil { //nolint:gosec // part of a program that is served to everyone
			return err
		}
	}
	return nil
}
