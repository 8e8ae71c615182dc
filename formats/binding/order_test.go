package binding

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Rows must be in the order of the schema, because a writer writes them in their
// order.
func TestRowsAreInSchemaOrder(t *testing.T) {
	for _, c := range []struct{ table, root, schemas string }{
		{"../ubl/bindings.yaml", "ubl:Invoice", "ubl-2.1"},
		{"../ubl/bindings.yaml", "cn:CreditNote", "ubl-2.1"},
		{"../cii/bindings.yaml", "rsm:CrossIndustryInvoice", "factur-x-1.09/EXTENDED"},
	} {
		t.Run(c.root, func(t *testing.T) {
			dir := filepath.Join("../../../shared/schemas", c.schemas)
			if _, err := os.Stat(dir); err != nil {
				t.Skip("no schemas to compare with: " + err.Error())
			}
			data, err := os.ReadFile(c.table)
			if err != nil {
				t.Fatal(err)
			}
			table, err := parseTable(func() (*yaml.Node, error) {
				doc := new(yaml.Node)
				return doc, yaml.Unmarshal(data, doc)
			})
			if err != nil {
				t.Fatal(err)
			}
			o := orderTest{t, c.root, readSchemas(t, dir)}
			o.rows(table.rows, o.schemas.elements[local(c.root)])
		})
	}
}

// schemas are the global elements and the types of a syntax.
type schemas struct {
	elements map[string]string  // from the name of a global element to its type
	types    map[string][]child // from the name of a type to its child elements, in order
}

type child struct{ name, typ string }

type orderTest struct {
	*testing.T
	root    string
	schemas schemas
}

// rows checks the rows inside an element of the given type. Consecutive rows below
// the same child must be in order there as well.
func (o *orderTest) rows(rows []row, typ string) {
	last := map[string]int{} // position of the last child, by the path of its parent
	for i := range rows {
		path, ok := rows[i].pathUnder(o.root)
		if !ok {
			continue
		}
		in, at := typ, ""
		for step := range strings.SplitSeq(path, "/") {
			if step == "." || strings.HasPrefix(step, "@") {
				break
			}
			position := slices.IndexFunc(o.schemas.types[in], func(c child) bool { return c.name == local(step) })
			if position < 0 {
				o.Errorf("line %d: %s has no element %s", rows[i].line, in, step)
				return
			}
			if position < last[at] {
				o.Errorf("line %d: %s must come before the row above it", rows[i].line, path)
			}
			if position > last[at] {
				last[at] = position
				for below := range last {
					if strings.HasPrefix(below, at+"/") {
						delete(last, below)
					}
				}
			}
			in, at = o.schemas.types[in][position].typ, at+"/"+step
		}
		o.rows(rows[i].rows, in)
	}
}

func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// readSchemas reads from the XML Schemas in a folder what the order of elements
// depends on. Prefixes are ignored, because local names are unique in a syntax.
func readSchemas(t *testing.T, dir string) schemas {
	t.Helper()
	type element struct {
		Name string `xml:"name,attr"`
		Ref  string `xml:"ref,attr"`
		Type string `xml:"type,attr"`
	}
	type schema struct {
		Elements []element `xml:"element"`
		Types    []struct {
			Name     string    `xml:"name,attr"`
			Elements []element `xml:"sequence>element"`
			Choice   []element `xml:"choice>element"`
		} `xml:"complexType"`
	}
	var all []schema
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xsd" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var read schema
		if err := xml.Unmarshal(data, &read); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, read)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := schemas{elements: map[string]string{}, types: map[string][]child{}}
	for _, schema := range all {
		for _, e := range schema.Elements {
			s.elements[e.Name] = local(e.Type)
		}
	}
	for _, schema := range all {
		for _, typ := range schema.Types {
			for _, e := range append(typ.Elements, typ.Choice...) {
				if e.Ref != "" {
					e.Name, e.Type = local(e.Ref), s.elements[local(e.Ref)]
				}
				s.types[typ.Name] = append(s.types[typ.Name], child{e.Name, local(e.Type)})
			}
		}
	}
	return s
}
