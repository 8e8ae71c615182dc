// Gen writes the data of package schema from the published XML Schemas:
//
//	go run ./formats/schema/gen -from ../shared/schemas -to rulesets/schemas
//
// It writes facts only: names, order, cardinality, types. Features of XML Schema that
// none of these schemas uses (substitution groups, keys, patterns, ...) are errors, so
// that nothing is lost silently.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// An output is one file of data, made from one main schema document.
type output struct {
	name string
	main string // below -from
	// common is the file for everything except the main document, if two schemas share
	// that; empty otherwise.
	common string
}

var outputs = []output{
	{name: "ubl-2.1-invoice", main: "ubl-2.1/maindoc/UBL-Invoice-2.1.xsd", common: "ubl-2.1-common"},
	{name: "ubl-2.1-creditnote", main: "ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd", common: "ubl-2.1-common"},
	{name: "cii-d16b", main: "cii-d16b/CII/uncefact/data/standard/CrossIndustryInvoice_100pD16B.xsd"},
	{name: "factur-x-1.09-minimum", main: "factur-x-1.09/MINIMUM/FACTUR-X_MINIMUM.xsd"},
	{name: "factur-x-1.09-basicwl", main: "factur-x-1.09/BASIC-WL/FACTUR-X_BASICWL.xsd"},
	{name: "factur-x-1.09-basic", main: "factur-x-1.09/BASIC/FACTUR-X_BASIC.xsd"},
	{name: "factur-x-1.09-en16931", main: "factur-x-1.09/EN16931/FACTUR-X_EN16931.xsd"},
	{name: "factur-x-1.09-extended", main: "factur-x-1.09/EXTENDED/FACTUR-X_EXTENDED.xsd"},
}

func main() {
	from := flag.String("from", "../shared/schemas", "the folder of the published schemas")
	to := flag.String("to", "rulesets/schemas", "the folder of the data")
	flag.Parse()
	files, err := generate(*from)
	if err == nil {
		err = write(*to, files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// generate returns the contents of all files, by name.
func generate(from string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, o := range outputs {
		schema, err := readSchema(filepath.Join(from, filepath.FromSlash(o.main)))
		if err != nil {
			return nil, err
		}
		own, shared := schema.documents, []*document(nil)
		if o.common != "" {
			own, shared = schema.documents[:1], schema.documents[1:]
			text, err := schema.print(shared, "")
			if err != nil {
				return nil, err
			}
			if before, ok := files[o.common]; ok && !bytes.Equal(before, text) {
				return nil, fmt.Errorf("%s: what it shares differs from what others share as %s", o.main, o.common)
			}
			files[o.common] = text
		}
		if files[o.name], err = schema.print(own, o.common); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func write(to string, files map[string][]byte) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name+".txt"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
