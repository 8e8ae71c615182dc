package engine_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/sampled"
)

var overlapPairs = flag.Int("overlap-pairs", sampled.Of(100, 4), "how many random pairs of conditions are held against all documents of a small world")

// A dimension is something in which documents differ: what each value of it is in an invoice,
// and conditions that ask for it.
type dimension struct {
	name       string
	values     []func(d *specimen)
	conditions []string // of documents
	where      []string // inside a predicate of /invoice
	effective  []string
	on         []string
}

// A specimen is a document with what decides about it.
type specimen struct {
	root     string
	invoice  *model.Invoice
	issue    engine.Day
	receipt  engine.Day
	standard string
	profile  string
}

func (s *specimen) seller() *model.Seller {
	if s.invoice.Seller == nil {
		s.invoice.Seller = &model.Seller{}
	}
	return s.invoice.Seller
}

func (s *specimen) buyer() *model.Buyer {
	if s.invoice.Buyer == nil {
		s.invoice.Buyer = &model.Buyer{}
	}
	return s.invoice.Buyer
}

func texts(set func(*specimen, string), values ...string) (out []func(*specimen)) {
	for _, v := range values {
		out = append(out, func(s *specimen) {
			if v != "" {
				set(s, v)
			}
		})
	}
	return out
}

var dimensions = []dimension{
	{
		name:       "root",
		values:     texts(func(s *specimen, v string) { s.root = v }, "ubl:Invoice", "cn:CreditNote", "rsm:CrossIndustryInvoice"),
		conditions: []string{"syntax: ubl", "syntax: cii", "root: ubl:Invoice", "root: cn:CreditNote", "root: rsm:CrossIndustryInvoice"},
	},
	{
		name:       "seller's VAT identifier",
		values:     append(texts(func(s *specimen, v string) { s.seller().VatIdentifier = model.NewText(v) }, "", "DE1", "FR1", "XX", "S1", "L1"), func(s *specimen) { s.seller() }),
		conditions: []string{"seller: {vat: DE1}", "seller: {vat: FR1}", "seller: [{vat: DE1}, {vat: FR1}]", "seller: [DE1]"},
		where:      []string{"seller/vatIdentifier='DE1'", "seller/vatIdentifier!='DE1'", "not(seller/vatIdentifier)", "seller[vatIdentifier='FR1' or not(vatIdentifier)]"},
	},
	{
		name: "seller's endpoint",
		values: texts(func(s *specimen, v string) {
			scheme, id, _ := strings.Cut(v, ":")
			s.seller().ElectronicAddress = &model.SellerElectronicAddress{Identifier: model.NewText(id), SchemeID: model.NewText(scheme)}
		}, "", "0088:DE1", "0204:L1", "0088:L1", "0204:L2"),
		conditions: []string{"seller: {endpoint: DE1, scheme: '0088'}", "seller: {endpoint: L1}", "seller: {leitweg: L1}", "seller: {leitweg: L2}", "seller: [DE1]", "seller: {endpoint: L1, scheme: '0088'}"},
		where:      []string{"seller/electronicAddress", "not(seller)", "seller/electronicAddress/schemeId='0204'"},
	},
	{
		name: "seller's identifiers",
		values: texts(func(s *specimen, v string) {
			for _, id := range strings.Split(v, ",") {
				s.seller().Identifiers = append(s.seller().Identifiers, model.SellerIdentifier{Identifier: model.NewText(id)})
			}
		}, "", "DE1", "S1", "DE1,S1"),
		conditions: []string{"seller: {identifier: DE1}", "seller: {identifier: S1}", "seller: [S1]"},
	},
	{
		name: "buyer's addresses",
		values: texts(func(s *specimen, v string) {
			reference, id, _ := strings.Cut(v, "|")
			if reference != "" {
				s.invoice.BuyerReference = model.NewText(reference)
			}
			if id != "" {
				s.buyer().ElectronicAddress = &model.BuyerElectronicAddress{Identifier: model.NewText(id), SchemeID: model.NewText("0204")}
			}
		}, "", "L1", "|L1", "|L2", "L1|L1", "L1|L2", "L2|L1", "L2|L2", "L2"),
		conditions: []string{"buyer: {leitweg: L1}", "buyer: {leitweg: L2}", "buyer: {endpoint: L1}", "buyer: [L2]"},
		where:      []string{"buyerReference", "buyerReference='L1'", "not(buyerReference='L1')", "buyer and not(buyerReference)"},
	},
	{
		name: "buyer's identifier",
		values: texts(func(s *specimen, v string) {
			s.buyer().Identifier = &model.BuyerIdentifier{Identifier: model.NewText(v)}
		}, "", "B1", "B2"),
		conditions: []string{"buyer: {identifier: B1}", "buyer: {identifier: B2}", "buyer: [B1]"},
	},
	{
		name:       "buyer's VAT identifier",
		values:     texts(func(s *specimen, v string) { s.buyer().VatIdentifier = model.NewText(v) }, "", "B1", "L2"),
		conditions: []string{"buyer: {vat: B1}", "buyer: [L2]"},
	},
	{
		name:   "currency",
		values: texts(func(s *specimen, v string) { s.invoice.CurrencyCode = model.NewText(v) }, "", "EUR", "USD", "SEK"),
		where:  []string{"currencyCode='EUR'", "currencyCode='USD'", "currencyCode!='EUR'", "not(currencyCode)", "not(currencyCode='EUR')", "currencyCode='EUR' or currencyCode='USD'", "currencyCode and not(currencyCode)"},
	},
	{
		name: "amount",
		values: texts(func(s *specimen, v string) {
			s.invoice.Totals = &model.Totals{AmountDueForPayment: model.NewAmount(v)}
		}, "", "99", "100", "100.0", "150", "200.5", "many"),
		where: []string{"totals/amountDueForPayment < 100", "totals/amountDueForPayment >= 100", "totals/amountDueForPayment = 100", "100 < totals/amountDueForPayment", "totals/amountDueForPayment != 100",
			"totals/amountDueForPayment > 100 and totals/amountDueForPayment <= 200.50", "totals/amountDueForPayment = '100'", "not(totals/amountDueForPayment >= 100)", "totals/amountDueForPayment != '100'"},
	},
	{
		name: "notes",
		values: texts(func(s *specimen, v string) {
			for _, note := range strings.Split(v, ",") {
				s.invoice.Notes = append(s.invoice.Notes, model.Note{Text: model.NewText(note)})
			}
		}, "", "A", "B", "A,B"),
		where: []string{"notes", "notes/text='A'", "notes/text='B'", "not(notes)"},
	},
	{
		name:      "issue",
		values:    texts(func(s *specimen, v string) { s.issue = engine.Day(v) }, "2025-12-31", "2026-01-01", "2026-06-30", "2026-07-01", "2027-01-01"),
		effective: []string{"{from: 2026-01-01}", "{until: 2025-12-31}", "{from: 2026-07-01}", "{from: 2026-01-01, until: 2026-06-30}", "{until: 2026-07-01}"},
	},
	{
		name:      "receipt",
		values:    texts(func(s *specimen, v string) { s.receipt = engine.Day(v) }, "2025-12-31", "2026-01-01"),
		effective: []string{"{from: 2026-01-01}\ndecidedBy: receipt", "{until: 2025-12-31}\ndecidedBy: receipt"},
	},
	{
		name:       "standard",
		values:     texts(func(s *specimen, v string) { s.standard = v }, "", "facturx", "xrechnung"),
		conditions: []string{"except: [facturx]", "except: [facturx, xrechnung]"},
	},
	{
		name:   "profile",
		values: texts(func(s *specimen, v string) { s.profile = v }, "p", "q-1"),
		on:     []string{"{profiles: [p]}", "{profiles: [q-1]}", `{profiles: ["q-*"]}`, "{profiles: [p], rulesets: [r]}"},
	},
}

// An asked is what a random overlay asks, with the dimensions that it is about.
type asked struct {
	text  string
	about []int
}

func randomlyAsked(r *rand.Rand) (a asked) {
	var documents, where []string
	on, effective := `{profiles: ["*"]}`, ""
	keys := map[string]bool{}
	for range 1 + r.IntN(3) {
		i := r.IntN(len(dimensions))
		d := &dimensions[i]
		one := func(from []string) string { return from[r.IntN(len(from))] }
		switch {
		case d.on != nil:
			on = one(d.on)
		case d.effective != nil && effective == "":
			effective = one(d.effective)
		case d.where != nil && (d.conditions == nil || r.IntN(2) == 0):
			where = append(where, "("+one(d.where)+")")
		case d.conditions != nil:
			c := one(d.conditions)
			key, _, _ := strings.Cut(c, ":")
			if keys[key] {
				continue
			}
			keys[key] = true
			documents = append(documents, c)
		default:
			continue
		}
		a.about = append(a.about, i)
	}
	for party, others := range map[string]string{"seller: [": "seller's", "buyer: [": "buyer's"} {
		if strings.Contains(strings.Join(documents, " "), party) { // any identifier of the party
			for i := range dimensions {
				if strings.HasPrefix(dimensions[i].name, others) {
					a.about = append(a.about, i)
				}
			}
		}
	}
	if len(where) > 0 {
		documents = append(documents, fmt.Sprintf("where: %q", "/invoice["+strings.Join(where, []string{" and ", " or "}[r.IntN(2)])+"]"))
	}
	a.text = "on: " + on + "\n"
	if len(documents) > 0 {
		a.text += "documents: {" + strings.Join(documents, ", ") + "}\n"
	}
	if effective != "" {
		a.text += "effective: " + effective + "\n"
	}
	return a
}

// overlaps is a folder with overlays that set one parameter to values of their own.
func overlaps(t *testing.T, all ...asked) *engine.Library {
	t.Helper()
	files := map[string]string{
		"profiles/p.yaml": "profiles:\n  - {id: p, name: P, standard: s, rulesets: [r], default: true}\n  - {id: q-1, name: Q, standard: s, rulesets: [r], specificationIds: [q]}\n",
		"r/1/r.yaml": `ruleset: r
version: 1
layer: cius
parameters: {limit: {type: decimal, default: 1, text: t}}
rules:
  - {id: R-1, level: fatal, context: /invoice, assert: "this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], fields: [totals.amountDueForPayment], message: m, text: t}
`,
	}
	for i, a := range all {
		name := string(rune('a' + i))
		files["overlays/"+name+".yaml"] = fmt.Sprintf("overlay: %s\ntitle: t\nowner: o\n%sparameters: {limit: %d}\n", name, a.text, 10+i)
	}
	l, err := engine.Open(folderOf(files))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// world are all documents that differ in some dimensions, each passed to visit until that is
// false.
func world(t *testing.T, about []int, visit func(*specimen) bool) {
	t.Helper()
	about = slices.Compact(slices.Sorted(slices.Values(about)))
	at := make([]int, len(about))
	for {
		s := &specimen{root: "ubl:Invoice", invoice: &model.Invoice{}, issue: "2026-03-01", receipt: "2026-03-01", profile: "p"}
		for i, d := range about {
			dimensions[d].values[at[i]](s)
		}
		if !visit(s) {
			return
		}
		i := 0
		for ; i < len(at); i++ {
			if at[i]++; at[i] < len(dimensions[about[i]].values) {
				break
			}
			at[i] = 0
		}
		if i == len(at) {
			return
		}
	}
}

// documents are empty ones, by their root elements.
var documents = sync.OnceValue(func() map[string]*model.Document {
	out := map[string]*model.Document{}
	for root, text := range map[string]string{
		"ubl:Invoice": `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`, "cn:CreditNote": `<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>`,
		"rsm:CrossIndustryInvoice": `<CrossIndustryInvoice xmlns="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>`,
	} {
		doc, err := read([]byte(text))
		if err != nil {
			panic(err)
		}
		out[root] = doc
	}
	return out
})

// applied are the overlays that apply to a document.
func applied(t *testing.T, l *engine.Library, names []string, s *specimen) (out []string) {
	t.Helper()
	doc := documents()[s.root]
	doc.Invoice = s.invoice
	p, err := l.Profile(s.profile)
	if err != nil {
		t.Fatal(err)
	}
	var stack []*engine.Overlay
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			t.Fatal(err)
		}
		stack = append(stack, o)
	}
	j := &engine.Judged{Document: doc, Profile: p, Rulesets: []string{"r/1"}, Standard: s.standard, Days: engine.Days{Issue: s.issue, Receipt: s.receipt, Validation: "2026-03-01"}}
	_, told, err := l.Applying(context.Background(), stack, len(stack), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range told {
		if o.Applied {
			out = append(out, o.Name)
		}
	}
	return out
}

// TestOverlap holds what is said of two overlays against all documents of a small world, which
// differ in what the overlays ask: they are refused if and only if both apply to one.
func TestOverlap(t *testing.T) {
	meet, apart := 0, 0
	for n := range *overlapPairs {
		r := rand.New(rand.NewPCG(30, uint64(n))) //nolint:gosec // the same pairs in every run
		a, b := randomlyAsked(r), randomlyAsked(r)
		l := overlaps(t, a, b)
		_, refused := l.Compose([]string{"a", "b"})
		var found *specimen
		world(t, slices.Concat(a.about, b.about), func(s *specimen) bool {
			if len(applied(t, l, []string{"a", "b"}, s)) == 2 {
				found = s
			}
			return found == nil
		})
		if (refused != nil) != (found != nil) {
			t.Errorf("pair %d: refused: %v; a document that both apply to: %+v\n%s\n%s", n, refused, found, a.text, b.text)
		}
		if found == nil {
			apart++
		} else {
			meet++
		}
	}
	t.Logf("of %d pairs %d meet and %d are apart", *overlapPairs, meet, apart)
	if least := cmp.Or(*overlapPairs/10, 1); meet < least || apart < least {
		t.Errorf("%d pairs meet and %d are apart: too few of a kind to say anything", meet, apart)
	}
}

// TestContradictoryRules holds what is said of two rules that ask one text of a term each
// against all documents of a small world: they contradict each other if and only if the contexts
// of both select one, and the texts differ.
func TestContradictoryRules(t *testing.T) {
	told, silent := 0, 0
	for n := range *overlapPairs {
		r := rand.New(rand.NewPCG(31, uint64(n))) //nolint:gosec // the same pairs in every run
		var about []int
		context := func() string {
			var parts []string
			for range 1 + r.IntN(2) {
				i := r.IntN(len(dimensions))
				if d := dimensions[i]; d.where != nil {
					about = append(about, i)
					parts = append(parts, "["+d.where[r.IntN(len(d.where))]+"]")
				}
			}
			return "/invoice" + strings.Join(parts, "")
		}
		rule := func(id, context, text string) string {
			return fmt.Sprintf("  - {id: %s, level: fatal, context: %q, assert: 'filled(this.projectReference) && this.projectReference == %q', btCodes: [BT-11], fields: [projectReference], message: m, text: t}\n", id, context, text)
		}
		a, b, texts := context(), context(), []string{"X", "Y"}[r.IntN(2)]
		l, err := engine.Open(folderOf(map[string]string{"r/1/r.yaml": "ruleset: r\nversion: 1\nlayer: cius\nrules:\n" + rule("A", a, "X") + rule("B", b, texts)}))
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Ruleset("r/1")
		if err != nil {
			t.Fatal(err)
		}
		contradictions := l.DecisionsOf(s).Contradictions()
		selects := func(context string, s *specimen) bool {
			doc := documents()[s.root]
			doc.Invoice = s.invoice
			found, err := l.Evaluate(t.Context(), doc, context, "true")
			if err != nil {
				t.Fatal(err)
			}
			return len(found) > 0
		}
		both := false
		world(t, about, func(s *specimen) bool {
			both = selects(a, s) && selects(b, s)
			return !both
		})
		if want := both && texts != "X"; want != (len(contradictions) > 0) {
			t.Errorf("%s and %s, asking for X and %s: told %v, want %t", a, b, texts, contradictions, want)
		}
		if len(contradictions) > 0 {
			told++
		} else {
			silent++
		}
	}
	if told == 0 || silent == 0 {
		t.Errorf("%d pairs contradict each other and %d do not: too few of a kind to say anything", told, silent)
	}
}
