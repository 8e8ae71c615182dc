package engine

import (
	"regexp"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/syntax"
)

// What overlays say of the documents that they are for, and contexts of the nodes that they
// select, as conditions of which package cases tells where they overlap and what they leave.

// Of which terms conditions are that are not paths of the model.
const (
	termRoot     = "root"
	termStandard = "followed by name:"
	termProfile  = "profile"
)

// knownTerms is what conditions of overlays are compared with, for documents of some profiles.
func knownTerms(profiles []*Profile) cases.Terms {
	ids := make([]string, len(profiles))
	for i, p := range profiles {
		ids[i] = p.ID
	}
	return cases.Terms{Closed: map[string][]string{termRoot: rootNames(), termProfile: ids}, Always: isMandatory, Texts: &cases.Texts{}}
}

// isMandatory reports whether every invoice has a term, by the standard: it is 1..1, and so is
// each group around it.
func isMandatory(term string) bool {
	at := model.InvoiceType()
	for name := range strings.SplitSeq(term, "/") {
		if at == nil {
			return false
		}
		f, ok := at.Field(name)
		if !ok || f.Card != "1..1" {
			return false
		}
		at = f.Elem
	}
	return true
}

// condition is what is asked of a document for the overlay to apply to it.
func (o *Overlay) condition(profiles []*Profile) *cases.Condition {
	asked := []*cases.Condition{o.Documents.condition(), o.Effective.condition(o.DecidedBy)}
	if len(o.On.Rulesets) == 0 && len(o.On.Profiles) > 0 {
		var ids []string
		for _, p := range profiles {
			if slices.ContainsFunc(o.On.Profiles, func(id string) bool { return Covers(id, p.ID) }) {
				ids = append(ids, p.ID)
			}
		}
		asked = append(asked, cases.Is(termProfile, ids...))
	}
	return cases.All(asked...)
}

// condition is what is asked of a document, beside what its overlay asks, for the change to be
// made.
func (c *LevelChange) condition() *cases.Condition {
	return cases.All(c.Documents.condition(), Period{Until: c.Until}.condition(c.decidedBy))
}

func (p Period) condition(decidedBy string) *cases.Condition {
	if p.From == "" && p.Until == "" {
		return cases.All()
	}
	return cases.Within(cases.Day(decidedBy), string(p.From), string(p.Until))
}

func (d *Documents) condition() *cases.Condition {
	var asked []*cases.Condition
	if d.Syntax != "" {
		asked = append(asked, cases.Is(termRoot, rootsIn(d.Syntax)...))
	}
	if d.Root != "" {
		asked = append(asked, cases.Is(termRoot, d.Root))
	}
	if d.Except != nil {
		asked = append(asked, cases.Not(cases.Is(termStandard, d.Except...)))
	}
	if d.Seller != nil {
		asked = append(asked, conditionOfParty("seller", d.Seller))
	}
	if d.Buyer != nil {
		asked = append(asked, conditionOfParty("buyer", d.Buyer))
	}
	if d.Where != "" {
		asked = append(asked, conditionOf(d.Where, false))
	}
	return cases.All(asked...)
}

// rootsIn are the document elements of a syntax.
func rootsIn(id model.Syntax) (roots []string) {
	for _, s := range syntax.Current() {
		for i := range s.Roots {
			if s.ID == string(id) {
				roots = append(roots, s.Roots[i].Element)
			}
		}
	}
	return roots
}

// placesOfIdentifiers are where an invoice has one identifier of a kind at most. Sellers may
// have several of KindIdentifier.
var placesOfIdentifiers = map[string]string{
	KindVAT: "/vatIdentifier", KindTax: "/taxRegistrationIdentifier", KindLegal: "/legalRegistration/identifier",
	KindEndpoint: "/electronicAddress/identifier", KindIdentifier: "/identifier/identifier",
}

func conditionOfParty(party string, identifiers []Identifier) *cases.Condition {
	var each []*cases.Condition
	for _, i := range identifiers {
		switch i.Kind {
		case KindAny:
			for _, kind := range []string{KindVAT, KindTax, KindLegal, KindEndpoint, KindIdentifier} {
				each = append(each, conditionOfIdentifier(party, kind, i))
			}
		case KindLeitweg:
			if party == "buyer" {
				each = append(each, cases.Is("buyerReference", i.Value))
			}
			i.Scheme = leitwegScheme
			each = append(each, conditionOfIdentifier(party, KindEndpoint, i))
		default:
			each = append(each, conditionOfIdentifier(party, i.Kind, i))
		}
	}
	return cases.Any(each...)
}

func conditionOfIdentifier(party, kind string, i Identifier) *cases.Condition {
	if party == "seller" && kind == KindIdentifier { // of several, one is enough
		i.Kind = kind
		return cases.Has("seller/identifiers[" + i.String() + "]")
	}
	place := party + placesOfIdentifiers[kind]
	if is := cases.Is(place, i.Value); i.Scheme == "" {
		return is
	}
	return cases.All(cases.Is(place, i.Value), cases.Is(strings.TrimSuffix(place, "identifier")+"schemeId", i.Scheme))
}

// conditionOf is what a context asks of a document to select something; with ofNode, what it
// asks of the node that it selects, so that the elements of a list are one.
func conditionOf(context string, ofNode bool) *cases.Condition {
	u, err := xpath.Parse(context)
	if err != nil {
		return cases.Has(context) // told where it is written
	}
	var paths []*cases.Condition
	for i := range u.Paths {
		c := cases.Unread(u.Paths[i].Text)
		if steps := u.Paths[i].Steps; steps[0].Name == "invoice" && !steps[0].Descendant {
			w := &where{ofNode: ofNode}
			if all := w.steps("", model.InvoiceType(), steps[0].Predicates, steps[1:]); all != nil {
				c = all
			}
		}
		paths = append(paths, c)
	}
	return cases.Any(paths...)
}

// A where reads a path of the model as a condition.
type where struct{ ofNode bool }

// steps are the conditions on the way down from groups of a type at a place, which have some
// predicates; nil where something else than terms decides.
func (w *where) steps(at string, of *model.Type, predicates []xpath.Expr, rest []xpath.Step) *cases.Condition {
	var asked []*cases.Condition
	for i := range predicates {
		if isPositional(&predicates[i]) {
			return nil
		}
		asked = append(asked, w.predicate(at, of, &predicates[i]))
	}
	if len(rest) == 0 {
		return cases.All(asked...)
	}
	step := &rest[0]
	f, ok := of.Field(step.Name)
	if !ok || step.Descendant || step.Axis != xpath.Child {
		return nil
	}
	place := at + f.Name
	if f.Kind == model.KindList && !w.ofNode {
		if len(rest) > 1 || len(step.Predicates) > 0 {
			return nil
		}
		return cases.All(append(asked, cases.Has(place))...)
	}
	if f.Kind.IsLeaf() {
		if len(rest) > 1 || len(step.Predicates) > 0 {
			return nil
		}
		return cases.All(append(asked, cases.Has(place))...)
	}
	if f.Kind == model.KindGroup || f.Kind == model.KindList {
		asked = append(asked, cases.Has(place))
	}
	below := w.steps(place+"/", f.Elem, step.Predicates, rest[1:])
	if below == nil {
		return nil
	}
	return cases.All(append(asked, below)...)
}

// isPositional reports whether a predicate may be a number, which counts.
func isPositional(x *xpath.Expr) bool {
	return x.Op == xpath.Number || x.Op == xpath.Negative ||
		x.Op == xpath.Call && slices.Contains([]string{"last", "position", "count", "sum", "string-length", "number", "floor", "ceiling", "round"}, x.Name)
}

// predicate is a predicate as a condition; what is compared otherwise than a term with a value
// is something that a document has or has not.
func (w *where) predicate(at string, of *model.Type, x *xpath.Expr) *cases.Condition {
	parts := func() (out []*cases.Condition) {
		for i := range x.Args {
			out = append(out, w.predicate(at, of, &x.Args[i]))
		}
		return out
	}
	switch x.Op {
	case xpath.And:
		return cases.All(parts()...)
	case xpath.Or:
		return cases.Any(parts()...)
	case xpath.Call:
		switch {
		case x.Name == "not" && len(x.Args) == 1:
			return cases.Not(w.predicate(at, of, &x.Args[0]))
		case x.Name == "true":
			return cases.All()
		case x.Name == "false":
			return cases.Any()
		case len(x.Args) == 2 && x.Args[1].Op == xpath.Literal:
			if c := partOfText(placeOfTerm(at, of, &x.Args[0]), x.Name, x.Args[1].Value); c != nil {
				return c
			}
		}
	case xpath.Path:
		if x.Path.Absolute {
			break
		}
		if c := (&where{}).steps(at, of, nil, x.Path.Steps); c != nil {
			return c
		}
	case xpath.Equal, xpath.NotEqual, xpath.Less, xpath.LessOrEqual, xpath.Greater, xpath.GreaterOrEqual:
		if c := compared(at, of, x); c != nil {
			return c
		}
	}
	if list := listIn(of, x); list != "" {
		return cases.Has(at + list + "[" + writtenAs(x) + "]")
	}
	return cases.Unread(at + "[" + writtenAs(x) + "]")
}

// partOfText asks for a part of the text of a term by a function of XPath; nil for any other.
func partOfText(place, function, part string) *cases.Condition {
	expression := map[string]string{"starts-with": "^" + regexp.QuoteMeta(part), "contains": regexp.QuoteMeta(part), "ends-with": regexp.QuoteMeta(part) + "$"}[function]
	if place == "" || part == "" || expression == "" {
		return nil
	}
	c, _ := cases.Matches(place, expression)
	return c
}

// listIn is the list of a group that an expression asks for an element of, with a slash, as
// what has one has the list; "" where it asks for none.
func listIn(of *model.Type, x *xpath.Expr) string {
	list := ""
	if x.Op == xpath.Path && !x.Path.Absolute && !x.Path.Steps[0].Descendant {
		if f, ok := of.Field(x.Path.Steps[0].Name); ok && f.Kind == model.KindList {
			return f.Name + "/"
		}
	}
	if _, comparison := signs[x.Op]; comparison || x.Op == xpath.NotEqual {
		for i := range x.Args {
			if list == "" {
				list = listIn(of, &x.Args[i])
			}
		}
	}
	return list
}

// signs say how a term compares with a number, by the sign of the comparison.
var signs = map[xpath.Op]func(sign int) bool{
	xpath.Equal: func(s int) bool { return s == 0 },
	xpath.Less:  func(s int) bool { return s < 0 }, xpath.LessOrEqual: func(s int) bool { return s <= 0 },
	xpath.Greater: func(s int) bool { return s > 0 }, xpath.GreaterOrEqual: func(s int) bool { return s >= 0 },
}

// turned are the operators with their sides exchanged.
var turned = map[xpath.Op]xpath.Op{xpath.Less: xpath.Greater, xpath.Greater: xpath.Less, xpath.LessOrEqual: xpath.GreaterOrEqual, xpath.GreaterOrEqual: xpath.LessOrEqual}

// compared is the comparison of a term with a value; nil for any other.
func compared(at string, of *model.Type, x *xpath.Expr) *cases.Condition {
	term, value, op := &x.Args[0], &x.Args[1], x.Op
	if term.Op != xpath.Path && term.Op != xpath.Call {
		term, value = value, term
		if other, is := turned[op]; is {
			op = other
		}
	}
	if term.Op == xpath.Call && term.Name == "normalize-space" && len(term.Args) == 1 && value.Op == xpath.Literal {
		return isWord(placeOfTerm(at, of, &term.Args[0]), value.Value, op)
	}
	place := placeOfTerm(at, of, term)
	if place == "" {
		return nil
	}
	negative := value.Op == xpath.Negative && value.Args[0].Op == xpath.Number
	switch {
	case value.Op == xpath.Literal && op == xpath.Equal:
		return cases.Is(place, value.Value)
	case value.Op == xpath.Literal && op == xpath.NotEqual:
		return cases.IsOther(place, value.Value)
	case value.Op == xpath.Literal, value.Op == xpath.Number:
		return comparedWith(place, value.Value, op)
	case negative:
		return comparedWith(place, "-"+value.Args[0].Value, op)
	}
	return nil
}

// isWord is the comparison of a term, without white space around it, with a word; nil for what
// is no term or word. One that is absent counts as empty.
func isWord(place, word string, op xpath.Op) *cases.Condition {
	is, known := cases.IsWord(place, word)
	switch {
	case place == "" || !known:
	case op == xpath.Equal:
		return is
	case op == xpath.NotEqual:
		return cases.Not(is)
	}
	return nil
}

func comparedWith(place, number string, op xpath.Op) *cases.Condition {
	if op == xpath.NotEqual { // as what is not a number is
		return cases.All(cases.Has(place), cases.Not(cases.Compared(place, number, signs[xpath.Equal])))
	}
	return cases.Compared(place, number, signs[op])
}

// placeOfTerm is where a path leads that goes down to one term through groups; "" for any
// other.
func placeOfTerm(at string, of *model.Type, x *xpath.Expr) string {
	if x.Op != xpath.Path || x.Path.Absolute {
		return ""
	}
	for i := range x.Path.Steps {
		step := &x.Path.Steps[i]
		if of == nil || step.Descendant || step.Axis != xpath.Child || len(step.Predicates) > 0 {
			return ""
		}
		f, ok := of.Field(step.Name)
		if !ok || f.Kind == model.KindList {
			return ""
		}
		of = f.Elem
		if at += f.Name; of != nil {
			at += "/"
		}
	}
	if of != nil {
		return ""
	}
	return at
}

// writtenAs writes an expression.
func writtenAs(x *xpath.Expr) string {
	args := make([]string, len(x.Args))
	for i := range x.Args {
		args[i] = writtenAs(&x.Args[i])
	}
	switch x.Op {
	case xpath.Path:
		return x.Path.Text
	case xpath.Literal:
		return "'" + x.Value + "'"
	case xpath.Number:
		return x.Value
	case xpath.Negative:
		return "-" + args[0]
	case xpath.Call:
		return x.Name + "(" + strings.Join(args, ", ") + ")"
	}
	return strings.Join(args, " "+string(x.Op)+" ")
}
