package workbench

import (
	"context"
	"encoding/json"
	"html"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/service/create"
)

// A trial judges changed texts of a document: of XML, or of the JSON of an invoice.
type trial struct {
	text    string
	invoice *model.Invoice
	before  *engine.Report
	judge   func(ctx context.Context, text string) (*engine.Report, error)
	// valueOf is where a term has its value in the text, and escape a value as it is written
	// there.
	valueOf func(path string, of model.Object, f *model.Field) (extent, bool)
	escape  func(value string) string
	// missing are the corrections that add what follows from the rest, those of less first.
	missing func(ctx context.Context) []candidate
}

func (d *Desk) trial(ctx context.Context, r *RemediesRequest) (*trial, error) {
	if r.isJSON() {
		return d.trialOfJSON(ctx, &r.Settings, editable(string(r.bytes())))
	}
	rules, received, err := d.receiveWithRules(ctx, &r.Settings, &r.Given)
	if err != nil {
		return nil, err
	}
	doc := received.Document
	t := &trial{text: doc.Source.Data, invoice: doc.Invoice, escape: html.EscapeString}
	t.judge = func(ctx context.Context, text string) (*engine.Report, error) {
		result, err := d.service.Validate(ctx, []byte(text), rules)
		if err != nil {
			return nil, err
		}
		return result.Report, nil
	}
	if t.before, err = t.judge(ctx, t.text); err != nil {
		return nil, err
	}
	t.valueOf = func(_ string, of model.Object, f *model.Field) (extent, bool) {
		return extentOf(doc.Source, of.RefOf(f))
	}
	t.missing = func(ctx context.Context) []candidate {
		return missingIn(d.additions(ctx, doc, t.before.Standard, r.Language))
	}
	return t, nil
}

// missingIn makes corrections of additions: each place of one alone, and the first places of
// several at once.
func missingIn(all []addition) (candidates []candidate) {
	for _, set := range together(all) {
		variants := len(set[0].places)
		if len(set) > 1 {
			variants = 1
		}
		for v := range variants {
			var terms []added
			c := candidate{}
			for _, a := range set {
				terms = append(terms, a.terms...)
				c.edits = append(c.edits, a.places[v])
			}
			c.Kind = "missing"
			c.Path, c.BT, c.Name, c.Becomes = said(terms)
			for _, t := range terms {
				c.adds = append(c.adds, t.path)
			}
			candidates = append(candidates, c)
		}
	}
	return candidates
}

func (d *Desk) trialOfJSON(ctx context.Context, s *Settings, text string) (*trial, error) {
	request, err := readRequest(ctx, text)
	if err != nil {
		return nil, err
	}
	invoice := request.Invoice
	t := &trial{text: text, invoice: invoice, escape: func(value string) string {
		quoted, _ := json.Marshal(value) // a text can always be encoded
		return string(quoted[1 : len(quoted)-1])
	}}
	t.judge = func(ctx context.Context, text string) (*engine.Report, error) {
		judgement, _, err := d.judgeJSON(ctx, s, text)
		return judgement, err
	}
	if t.before, err = t.judge(ctx, text); err != nil {
		return nil, err
	}
	members := membersOf(ctx, text)
	t.valueOf = func(path string, _ model.Object, _ *model.Field) (extent, bool) { e, ok := members[path]; return e, ok }
	t.missing = func(ctx context.Context) []candidate {
		return missingGroups(ctx, text, invoice, t.before.Standard, s.Language)
	}
	return t, nil
}

// missingGroups is the correction that adds the groups that a VAT breakdown in JSON lacks. All
// else that follows from the rest is left out of JSON on purpose, and computed.
func missingGroups(ctx context.Context, text string, invoice *model.Invoice, standard, language string) []candidate {
	n := len(invoice.VatBreakdowns)
	if n == 0 {
		return nil
	}
	whole := create.Completed(invoice, standard, language)
	if len(whole.VatBreakdowns) <= n {
		return nil
	}
	at := endOfLast(ctx, text, "vatBreakdowns", n)
	if at == 0 {
		return nil
	}
	f, _ := model.InvoiceType().Field("vatBreakdowns")
	name, _ := engine.TermName(f.BT)
	var terms []added
	var entries strings.Builder
	for i, group := range whole.VatBreakdowns[n:] {
		data, err := json.Marshal(group)
		if err != nil {
			return nil
		}
		entries.WriteString(", " + string(data))
		eachTerm(ctx, "vatBreakdowns["+itoa(n+i)+"]", model.ObjectOf(&group), func(path string, of model.Object, f *model.Field) {
			term, _ := engine.TermName(f.BT)
			terms = append(terms, added{path, f.BT, term, of.Raw(f)})
		})
	}
	c := candidate{Remedy: Remedy{Kind: "missing"}, edits: []edit{{at, at, entries.String()}}}
	c.Path, _, _, c.Becomes = said(terms)
	c.BT, c.Name = f.BT, name
	return []candidate{c}
}

// endOfLast is the offset behind the last entry of a list of the invoice; 0 where it has not so
// many.
func endOfLast(ctx context.Context, text, list string, entries int) int {
	root, err := jsoninvoice.Parse(ctx, []byte(text))
	if err != nil {
		return 0
	}
	for _, name := range []string{"invoice", list} {
		i := slices.IndexFunc(root.Members, func(m jsoninvoice.Member) bool { return m.Name == name })
		switch {
		case i >= 0:
			root = root.Members[i].Value
		case name == list:
			return 0
		}
	}
	if len(root.Items) != entries || entries == 0 {
		return 0
	}
	from := root.Items[entries-1].Offset
	decoder := json.NewDecoder(strings.NewReader(text[from:]))
	var entry json.RawMessage
	if decoder.Decode(&entry) != nil {
		return 0
	}
	return from + int(decoder.InputOffset())
}
