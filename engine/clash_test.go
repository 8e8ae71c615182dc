package engine_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/rulesets"
)

// An askedTerm is a term with values that tell apart what conditions ask of it: enough of them
// for each set of two conditions that some value meets.
type askedTerm struct {
	set        func(s *specimen, value string)
	values     []string // "" for none
	conditions []string // of CEL
	contexts   []string // of XPath, in brackets
}

var askedTerms = []askedTerm{
	{
		set: func(s *specimen, v string) {
			s.invoice.ProjectReference = model.NewText(strings.TrimPrefix(v, "empty"))
		},
		values: []string{"", " ", "A", "B", "AB", "BA", "A1", "B-17", "ABCDEFGHIJ", "EUR", "XA", "Z", "AZ", "USD", "AEURX", "a", " B", "empty", "AA", "EURA", "AEURA", "EUREUR", "BEUR", "BEURA", "EU", "\tEUR", "B   ", "     "},
		conditions: []string{
			`filled(this.projectReference)`, `!filled(this.projectReference)`, `has(this.projectReference)`, `!has(this.projectReference)`,
			`this.projectReference.matches("^A")`, `this.projectReference.matches("^[B-Z]")`, `this.projectReference.startsWith("B")`, `this.projectReference.endsWith("A")`, `this.projectReference.contains("EUR")`,
			`this.projectReference == "A"`, `this.projectReference != "A"`, `this.projectReference in ["A", "B"]`, `is(this.projectReference, "B")`, `!(this.projectReference == "B")`,
			`this.projectReference.size() > 3`, `this.projectReference.size() <= 1`, `this.projectReference.isInCodeList("iso-4217")`, `!this.projectReference.isInCodeList("iso-4217")`,
			`orElse(this.projectReference, "") == ""`, `orElse(this.projectReference, "A") == "A"`, `orElse(this.projectReference, "x").matches("^[a-z]$")`, `true`, `this.contractReference == this.projectReference`,
		},
		contexts: []string{"projectReference", "not(projectReference)", "projectReference='A'", "projectReference!='A'", "starts-with(projectReference, 'A')", "normalize-space(projectReference)='B'"},
	},
	{
		set: func(s *specimen, v string) {
			if s.invoice.Totals = (&model.Totals{}); v != "no amount" {
				s.invoice.Totals.AmountDueForPayment = model.NewAmount(v)
			}
		},
		values: []string{"", "9", "10", "15", "20", "20.5", "-1", "0", "none", "no amount"},
		conditions: []string{
			`this.totals.amountDueForPayment < 10`, `this.totals.amountDueForPayment > 20`, `this.totals.amountDueForPayment >= 10.00`, `20 >= this.totals.amountDueForPayment`, `this.totals.amountDueForPayment == 10`,
			`this.totals.amountDueForPayment != 10`, `has(this.totals.amountDueForPayment)`, `!has(this.totals.amountDueForPayment)`, `valid(this.totals.amountDueForPayment)`, `!valid(this.totals.amountDueForPayment)`, `orElse(this.totals.amountDueForPayment, 0) == 0`,
		},
		contexts: []string{"totals/amountDueForPayment > 15", "totals/amountDueForPayment <= 15", "not(totals/amountDueForPayment)", "totals"},
	},
	{
		set:    func(s *specimen, v string) { s.invoice.PaymentDueDate = model.NewDate(v) },
		values: []string{"", "2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02", "soon", " "},
		conditions: []string{
			`this.paymentDueDate < date("2026-01-01")`, `this.paymentDueDate >= date("2026-01-01")`, `this.paymentDueDate == date("2025-12-31")`, `date("2025-12-31") < this.paymentDueDate`, `valid(this.paymentDueDate)`, `filled(this.paymentDueDate)`, `!has(this.paymentDueDate)`,
		},
		contexts: []string{"paymentDueDate", "not(paymentDueDate)"},
	},
}

// randomRule is a context and an assertion about some terms.
func randomRule(r *rand.Rand, terms []int) (context, assert string) {
	one := func(from []string) string { return from[r.IntN(len(from))] }
	context = "/invoice"
	if r.IntN(2) == 0 {
		context += "[" + one(askedTerms[terms[r.IntN(len(terms))]].contexts) + "]"
	}
	var parts []string
	for range 1 + r.IntN(2) {
		parts = append(parts, one(askedTerms[terms[r.IntN(len(terms))]].conditions))
	}
	return context, strings.Join(parts, []string{" && ", " || "}[r.IntN(2)])
}

// TestClash holds what is said of two random rules against all documents that differ in the terms
// which they are about: they contradict each other if and only if none meets both of those that
// one of them is, or both are, for, and each alone could be met; one repeats the other if and only
// if that fires on all documents on which it does.
func TestClash(t *testing.T) {
	l, err := engine.Open(folderOf(nil))
	if err != nil {
		t.Fatal(err)
	}
	clashes, repeats, apart := 0, 0, 0
	for n := range 2 * *overlapPairs {
		r := rand.New(rand.NewPCG(32, uint64(n))) //nolint:gosec // the same rules in every run
		terms := r.Perm(len(askedTerms))[:1+r.IntN(2)]
		var rules [2]struct{ context, assert string }
		text := "ruleset: r\nversion: 1\nlayer: cius\nrules:\n"
		for i := range rules {
			rules[i].context, rules[i].assert = randomRule(r, terms)
			text += fmt.Sprintf("  - {id: R-%d, level: fatal, context: %q, assert: '%s', btCodes: [BT-11], fields: [projectReference], message: m, text: t}\n", i, rules[i].context, rules[i].assert)
		}
		if l, err = engine.Open(folderOf(map[string]string{"r/1/r.yaml": text, "codelists/iso-4217.yaml": "list: iso-4217\ntitle: t\nversion: 1\nsource: s\ncodes: EUR USD\n"})); err != nil {
			t.Fatal(err)
		}
		var selected, passes [2][]bool
		var met [2]bool // of the assertion, whatever the context
		worldOf(terms, func(s *specimen) {
			for i, rule := range rules {
				found, err := l.Evaluate(t.Context(), &model.Document{Invoice: s.invoice}, rule.context, rule.assert)
				if err != nil {
					t.Fatal(err)
				}
				everywhere, err := l.Evaluate(t.Context(), &model.Document{Invoice: s.invoice}, "/invoice", rule.assert)
				if err != nil {
					t.Fatal(err)
				}
				met[i] = met[i] || everywhere[0].Value == true
				selected[i] = append(selected[i], len(found) > 0)
				passes[i] = append(passes[i], len(found) == 0 || found[0].Value == true)
			}
		})
		some := func(is func(d int) bool) bool {
			return slices.ContainsFunc(slices.Collect(upTo(len(selected[0]))), is)
		}
		clash := false
		for _, in := range []func(d int) bool{func(d int) bool { return selected[0][d] && selected[1][d] }, func(d int) bool { return selected[0][d] }, func(d int) bool { return selected[1][d] }} {
			clash = clash || some(func(d int) bool { return in(d) && passes[0][d] }) && some(func(d int) bool { return in(d) && passes[1][d] }) && !some(func(d int) bool { return in(d) && passes[0][d] && passes[1][d] })
		}
		compared := !strings.Contains(text, "contractReference")
		within := func(x, y int) bool {
			return some(func(d int) bool { return !passes[x][d] }) && !some(func(d int) bool { return !passes[x][d] && passes[y][d] })
		}
		s, err := l.Ruleset("r/1")
		if err != nil {
			t.Fatal(err)
		}
		decisions := l.DecisionsOf(s)
		contradictions, doubts := decisions.Contradictions(), decisions.Doubts()
		repeated := slices.ContainsFunc(doubts, func(e engine.LoadError) bool { return strings.Contains(e.Message, "wherever it fires") })
		switch {
		case clash != (len(contradictions) > 0):
			t.Errorf("pair %d: told %v, want a contradiction: %t\n%s", n, contradictions, clash, text)
		case clash:
			clashes++
		case (within(0, 1) || within(1, 0)) != repeated && (repeated || compared && haveTermInCommon(rules[0].context+rules[0].assert, rules[1].context+rules[1].assert)):
			t.Errorf("pair %d: told %v, want that one repeats the other: %t, %t\n%s", n, doubts, within(0, 1), within(1, 0), text)
		case repeated:
			repeats++
		default:
			apart++
		}
		for i, r := range s.Rules {
			selects, fires := some(func(d int) bool { return selected[i][d] }), some(func(d int) bool { return !passes[i][d] })
			idle := slices.DeleteFunc(slices.Clone(decisions.Idle()), func(e engine.LoadError) bool { return !strings.Contains(e.Message, "rule "+r.ID) })
			if (len(idle) > 0) != (!selects || !fires || !met[i]) {
				t.Errorf("pair %d: of %s is told %v; it selects: %t, fires: %t\n%s", n, r.ID, idle, selects, fires, text)
			}
		}
	}
	t.Logf("%d pairs contradict each other, of %d one repeats the other, %d do neither", clashes, repeats, apart)
	if least := cmp.Or(*overlapPairs/10, 1); clashes < least || repeats < least || apart < least {
		t.Error("too few of a kind to say anything")
	}
}

func haveTermInCommon(a, b string) bool {
	return slices.ContainsFunc([]string{"projectReference", "amountDueForPayment", "paymentDueDate"}, func(term string) bool { return strings.Contains(a, term) && strings.Contains(b, term) })
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// worldOf passes all documents that differ in some terms, and in whether two of them are alike.
func worldOf(terms []int, visit func(*specimen)) {
	var set func(s *specimen, rest []int)
	values := map[int]string{}
	set = func(s *specimen, rest []int) {
		if len(rest) == 0 {
			for _, same := range []bool{true, false} { // what package cases does not compare
				s = &specimen{invoice: &model.Invoice{}}
				for term, v := range values {
					if v != "" {
						askedTerms[term].set(s, v)
					}
				}
				if s.invoice.ContractReference = model.NewText("other"); same {
					s.invoice.ContractReference = s.invoice.ProjectReference
				}
				visit(s)
			}
			return
		}
		for _, v := range askedTerms[rest[0]].values {
			values[rest[0]] = v
			set(s, rest[1:])
		}
	}
	set(nil, terms)
}

// TestClashWhereverWritten sees that two rules contradict each other alike in one ruleset, in a
// ruleset and the file of an overlay, in a ruleset and one that an overlay adds, and in rulesets
// that two overlays add.
func TestClashWhereverWritten(t *testing.T) {
	clashes := 0
	for n := range *overlapPairs {
		r := rand.New(rand.NewPCG(33, uint64(n))) //nolint:gosec // the same rules in every run
		terms := r.Perm(len(askedTerms))[:1+r.IntN(2)]
		var rules [2]string
		for i := range rules {
			context, assert := randomRule(r, terms)
			rules[i] = fmt.Sprintf("  - {id: R-%d, level: fatal, context: %q, assert: '%s', btCodes: [BT-11], fields: [projectReference], message: m, text: t}\n", i, context, assert)
		}
		ruleset := func(name, rules string) string {
			return "ruleset: " + name + "\nversion: 1\nlayer: cius\nrules:\n" + rules
		}
		overlay := func(name, rest string) string {
			return "overlay: " + name + "\ntitle: t\nowner: o\non: {rulesets: [base]}\n" + rest
		}
		lists := "list: iso-4217\ntitle: t\nversion: 1\nsource: s\ncodes: EUR USD\n"
		clashing := func(files map[string]string) bool {
			files["codelists/iso-4217.yaml"] = lists
			l, err := engine.Open(folderOf(files))
			if err != nil {
				t.Fatal(err)
			}
			found := l.Conflicts()
			names, err := l.OwnOverlays()
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				o, err := l.Overlay(name)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, l.DecisionsOfOverlay(o).Contradictions()...)
			}
			s, err := l.Ruleset("base/1")
			if err != nil {
				t.Fatal(err)
			}
			return len(append(found, l.DecisionsOf(s).Contradictions()...)) > 0
		}
		other := "  - {id: R-9, level: fatal, context: /invoice, assert: 'has(this.number)', btCodes: [BT-1], fields: [number], message: m, text: t}\n"
		want := clashing(map[string]string{"base/1/r.yaml": ruleset("base", rules[0]+rules[1])})
		for where, files := range map[string]map[string]string{
			"the file of an overlay":       {"base/1/r.yaml": ruleset("base", rules[0]), "overlays/a.yaml": overlay("a", "rules:\n"+rules[1])},
			"a ruleset of an overlay":      {"base/1/r.yaml": ruleset("base", rules[0]), "own/1/r.yaml": ruleset("own", rules[1]), "overlays/a.yaml": overlay("a", "rulesets: [own]\n")},
			"two rulesets of two overlays": {"base/1/r.yaml": ruleset("base", other), "own/1/r.yaml": ruleset("own", rules[0]), "more/1/r.yaml": ruleset("more", rules[1]), "overlays/a.yaml": overlay("a", "rulesets: [own]\n"), "overlays/b.yaml": overlay("b", "rulesets: [more]\n")},
		} {
			if got := clashing(files); got != want {
				t.Errorf("pair %d in %s: told: %t, in one ruleset: %t\n%s%s", n, where, got, want, rules[0], rules[1])
			}
		}
		if want {
			clashes++
		}
	}
	if t.Logf("%d pairs contradict each other", clashes); clashes < max(*overlapPairs/20, 1) {
		t.Error("too few to say anything")
	}
}

// An assertion that asks nothing of a document is told, whatever it says, but false and what neverFires explains.
func TestAssertionsThatAskNothing(t *testing.T) {
	for assert, told := range map[string]bool{
		"true": true, "1 == 1": true, `"a".startsWith("b")`: true, `["a", "b"].all(x, x.contains("a"))`: true, `[1, 2].exists(i, [3].exists(j, i + j == 4))`: true,
		"false": false, "this.number == this.number": false, `["a"].all(x, invoice.number == x)`: false, "has(invoice.totals)": false,
	} {
		for _, explained := range []bool{false, true} {
			rule := strings.Replace(companyRule, "has(this.number)", strconv.Quote(assert), 1)
			if explained {
				rule = strings.Replace(rule, "text: t", "text: t, neverFires: because", 1)
			}
			l, err := engine.Open(engine.Layered(fstest.MapFS{"company/1/a.yaml": {Data: []byte(company("", rule))}}, rulesets.FS))
			if err != nil {
				t.Fatal(err)
			}
			s, err := l.Ruleset("company/1")
			if err != nil {
				t.Fatal(err)
			}
			isTold := slices.ContainsFunc(l.DecisionsOf(s).Idle(), func(e engine.LoadError) bool { return strings.Contains(e.Message, "asks nothing of a document") })
			if isTold != (told && !explained) {
				t.Errorf("%s, explained %t: told %t", assert, explained, isTold)
			}
		}
	}
}
