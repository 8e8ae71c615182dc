package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"

	"github.com/spf13/cobra"
)

// A termRow is one line of the term table.
type termRow struct {
	Code  string `json:"code"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	Card  string `json:"cardinality"`
	Field string `json:"field"`
	// XML is where the term is in each syntax, by the syntax's id.
	XML map[model.Syntax]string `json:"-"`
}

// MarshalJSON has a member for each syntax behind the others.
func (r termRow) MarshalJSON() ([]byte, error) {
	type plain termRow
	text, err := json.Marshal(plain(r))
	if err != nil {
		return nil, err
	}
	places, err := json.Marshal(r.XML)
	return append(append(text[:len(text)-1], ','), places[1:]...), err
}

func newTerms() *cobra.Command {
	var asJSON, asSchema bool
	var tag string
	cmd := &cobra.Command{
		Use:   "terms [CODE...]",
		Short: "Print the business terms: name, type, cardinality, field, and place in UBL and CII",
		Example: `  einvoice terms
  einvoice terms BT-106 BG-23
  einvoice terms --language de BT-106`,
		RunE: func(cmd *cobra.Command, codes []string) error {
			if asSchema {
				_, err := cmd.OutOrStdout().Write(jsoninvoice.Schema())
				return err
			}
			_, language, err := openLibraryIn(tag)
			if err != nil {
				return err
			}
			rows := termRows(codes, language)
			unknown := slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
				return slices.ContainsFunc(rows, func(r termRow) bool { return strings.EqualFold(r.Code, code) })
			})
			if len(unknown) > 0 {
				return fmt.Errorf("no term is called %s; codes look like BT-106 or BG-23", strings.Join(unknown, ", "))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), rows)
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			head := strings.Join([]string{language.Say("TERM"), language.Say("NAME"), language.Say("TYPE"), language.Say("CARD"), language.Say("FIELD")}, "\t")
			for _, f := range formats.All {
				head += "\t" + f.Syntax.Label()
			}
			fmt.Fprintln(table, head)
			for _, r := range rows {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s", r.Code, r.Name, r.Type, r.Card, r.Field)
				for _, f := range formats.All {
					fmt.Fprintf(table, "\t%s", r.XML[f.Syntax])
				}
				fmt.Fprintln(table)
			}
			return table.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the table as JSON")
	messagesFlag(cmd, &tag)
	cmd.Flags().BoolVar(&asSchema, "json-schema", false, "print the JSON Schema of an invoice, as create takes it")
	return cmd
}

func termRows(codes []string, language *words.Language) []termRow {
	wanted := map[string]bool{}
	for _, c := range codes {
		wanted[strings.ToUpper(c)] = true
	}
	paths := map[model.Syntax]map[string][]string{}
	for _, f := range formats.All {
		paths[f.Syntax] = map[string][]string{}
		for _, t := range f.Terms() {
			paths[f.Syntax][t.Path] = t.XML
		}
	}
	var rows []termRow
	seen := map[*model.Type]bool{}
	var walk func(t *model.Type, prefix string)
	walk = func(t *model.Type, prefix string) {
		if seen[t] { // lines within lines
			return
		}
		seen[t] = true
		for i := range t.Fields {
			f := &t.Fields[i]
			field := model.Join(prefix, f.Name)
			if f.Kind == model.KindList {
				field += "[]"
			}
			if f.BT != "" && (len(wanted) == 0 || wanted[f.BT]) {
				name := strings.ReplaceAll(field, "[]", "")
				row := termRow{Code: f.BT, Name: language.Say(f.Term), Type: f.Class, Card: f.Card, Field: field, XML: map[model.Syntax]string{}}
				for _, syntax := range formats.All {
					row.XML[syntax.Syntax] = strings.Join(paths[syntax.Syntax][name], " | ")
				}
				rows = append(rows, row)
			}
			if f.Elem != nil {
				walk(f.Elem, field)
			}
		}
	}
	walk(model.InvoiceType(), "")
	return rows
}
