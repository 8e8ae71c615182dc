package formats_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"

	"pgregory.net/rapid"
)

// Any invoice over the whole model that is written and read again is the same,
// but for what the losses tell; and what they call lost is not there.
func TestRandomInvoices(t *testing.T) {
	for _, f := range formats.All {
		t.Run(string(f.Syntax), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				invoice := &model.Invoice{}
				g := generator{t}
				g.group("", model.ObjectOf(invoice))
				c, err := formats.Write(invoice, formats.Target{Syntax: f.Syntax, CreditNote: creditNotes})
				if err != nil {
					t.Fatal(err)
				}
				made, err := formats.Read(c.Data, formats.Options{})
				if err != nil {
					t.Fatalf("%v\n%s", err, c.Data)
				}
				want, got := exactTerms(invoice), exactTerms(made.Invoice)
				for _, path := range differences(want, got) {
					if !slices.ContainsFunc(c.Losses, func(l formats.Loss) bool { return concerns(l, path) }) {
						t.Fatalf("%s differs, and no loss tells\n%s", path, c.Data)
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

type generator struct {
	*rapid.T
}

// words are texts, with what XML needs care for.
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
				continue // one level of recursion shows it
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

// needed are terms without which an invoice cannot tell its own amounts apart.
var needed = map[string]bool{"currencyCode": true, "vatAccountingCurrencyCode": true}

// text is a text that means in the syntaxes what it means in the model.
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

// exactTerms are the terms of an invoice by path, digit by digit.
func exactTerms(invoice *model.Invoice) map[string]string {
	terms := map[string]string{}
	var walk func(string, model.Object)
	walk = func(prefix string, o model.Object) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			switch {
			case !o.Has(f):
			case f.Kind == model.KindGroup:
				walk(prefix+f.Name+".", o.Group(f))
			case f.Kind == model.KindList:
				for i := range o.List(f).Len() {
					walk(prefix+f.Name+"["+strconv.Itoa(i)+"].", o.List(f).At(i))
				}
			case f.Kind == model.KindDate:
				terms[prefix+f.Name] = o.Date(f).ISO()
			case f.Kind == model.KindNumber || f.Kind == model.KindAmount:
				terms[prefix+f.Name] = o.Number(f).Value.String()
			default:
				terms[prefix+f.Name] = "=" + o.Raw(f)
			}
		}
	}
	walk("", model.ObjectOf(invoice))
	return terms
}
