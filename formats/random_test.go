package formats_test

import (
	"flag"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/sampled"

	"pgregory.net/rapid"
)

// Any invoice of the model that is written and read again is the same, except for
// what the losses report; and a term that they report as lost is absent.
func TestRandomInvoices(t *testing.T) {
	for _, f := range formats.All {
		t.Run(string(f.Syntax), func(t *testing.T) {
			if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue { // unless somebody chose
				_ = checks.Value.Set(strconv.Itoa(sampled.Of(100, 4)))
			}
			rapid.Check(t, func(t *rapid.T) {
				invoice, c, made := writtenAndRead(t, f.Syntax)
				want, got := exactTerms(invoice), exactTerms(made.Invoice)
				for _, path := range differences(want, got) {
					if !slices.ContainsFunc(c.Losses, func(l formats.Loss) bool { return concerns(l, path) }) {
						t.Fatalf("%s differs, and no loss reports it\n%s", path, c.Data)
					}
				}
				for _, l := range c.Losses {
					if l.Kind == binding.Lost && got[l.Field] == want[l.Field] && !strings.Contains(l.Field, "[") {
						t.Fatalf("%s is not lost\n%s", l.Field, c.Data)
					}
				}
			})
		})
	}
}

// writtenAndRead is a random invoice, what is written of it in a syntax, and what is read of that again.
func writtenAndRead(t *rapid.T, in model.Syntax) (*model.Invoice, *formats.Conversion, *model.Document) {
	invoice := &model.Invoice{}
	g := generator{t}
	g.group("", model.ObjectOf(invoice))
	c, err := formats.Convert(t.Context(), &model.Document{Invoice: invoice}, formats.Output{Syntax: in, CreditNote: creditNotes})
	if err != nil {
		t.Fatal(err)
	}
	made, err := formats.Read(c.Data, formats.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Data)
	}
	return invoice, c, made
}

type generator struct {
	*rapid.T
}

// words are texts, some with characters that XML must escape or normalize.
var words = rapid.SampledFrom([]string{"x", "Müller & Söhne", "a<b>c", `"quoted"`, "two\nlines", "tab\there", "cr\rlf", "]]>", "𝄞", "", "  spaces  ", "&amp;"})

func (g *generator) group(prefix string, o model.Object) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		if !needed[path] && rapid.IntRange(0, 2).Draw(g.T, path) == 0 {
			continue
		}
		switch f.Kind {
		case model.KindGroup:
			g.group(path+".", o.EnsureGroup(f))
		case model.KindList:
			if path == "lines.subLines.subLines" {
				continue // one level of recursion is enough
			}
			for range rapid.IntRange(1, 3).Draw(g.T, path) {
				g.group(path+".", o.AppendGroup(f))
			}
		case model.KindText:
			*o.Text(f) = model.NewText(g.text(path))
		case model.KindBinary:
			*o.Binary(f) = model.NewBinary(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(g.T, path))
		case model.KindDate:
			day := rapid.IntRange(10, 28).Draw(g.T, path)
			*o.Date(f) = model.NewDate("2026-11-" + strconv.Itoa(day))
		default:
			*o.Number(f) = model.NewNumber(rapid.StringMatching(`-?(0|[1-9][0-9]{0,7})(\.[0-9]{1,4})?`).Draw(g.T, path))
		}
	}
}

// needed are the terms without which the totals in the two currencies cannot be told
// apart.
var needed = map[string]bool{"currencyCode": true, "vatAccountingCurrencyCode": true}

// text is a text that has the same meaning in the model and in the syntaxes.
func (g *generator) text(path string) string {
	switch path {
	case "typeCode":
		return rapid.SampledFrom([]string{"380", "381"}).Draw(g.T, path)
	case "currencyCode":
		return "EUR"
	case "vatAccountingCurrencyCode":
		return "SEK"
	case "vatPointDateCode":
		return rapid.SampledFrom([]string{"3", "35", "432"}).Draw(g.T, path)
	case "notes.subjectCode":
		return "AAI"
	case "paymentInstructions.means.typeCode":
		return rapid.SampledFrom([]string{"30", "48", "58", "59"}).Draw(g.T, path)
	case "paymentInstructions.means.creditTransfers.accountIdentifier":
		return rapid.SampledFrom([]string{"DE02120300000000202051", "123456"}).Draw(g.T, path)
	}
	return words.Draw(g.T, path)
}
