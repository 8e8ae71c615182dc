package ruletest

import (
	"context"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/pattern"
)

// Reads is what decides whether a rule fires on a document.
type Reads struct {
	// Terms are the numbers of the terms that the rule reads; nil where anything may
	// decide.
	Terms Terms
	// Otherwise is what the rule decides on every document that has none of the terms.
	Otherwise string
}

// plainContext is a context that selects all groups at a path.
var plainContext = pattern.Later(`^/invoice(/[A-Za-z0-9]+)*$`)

// ReadsOf finds out what a rule reads. A rule that differs by syntax, is in force for a time,
// or is over the source document may be decided by anything.
func ReadsOf(ctx context.Context, library *engine.Library, r *engine.Rule) (*Reads, error) {
	if r.Row != nil || len(r.Variants) > 0 || r.On != "" || r.Effective != (engine.Period{}) || r.Overlay != "" || !plainContext().MatchString(r.Context.Value) {
		return &Reads{}, nil
	}
	inv := &model.Invoice{}
	at := model.ObjectOf(inv)
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(r.Context.Value, "/invoice"), "/"), "/") {
		f, ok := at.Type.Field(name)
		switch {
		case name == "":
			continue
		case !ok || f.Kind.IsLeaf():
			return &Reads{}, nil
		case f.Kind == model.KindList:
			at = at.AppendGroup(f)
		default:
			at = at.EnsureGroup(f)
		}
	}
	reads, exact, err := expr.Reads(r.Assert.Value, expr.Group(at.Type))
	if err != nil || !exact {
		return &Reads{}, err
	}
	out := &Reads{Terms: Terms{}}
	for _, read := range reads {
		n, known := TermNumber(read.Group, read.Field)
		if !known { // of what is around the invoice
			return &Reads{}, nil
		}
		out.Terms = out.Terms.with(n)
	}
	report, err := library.ValidatorOf(r).Validate(ctx, &model.Document{Invoice: inv})
	if err != nil {
		return nil, err
	}
	for i := range report.Findings {
		out.Otherwise = r.Context.Value + " " + string(report.Findings[i].Level)
	}
	return out, nil
}

// Terms are a set of terms by their numbers: a bit each.
type Terms []byte

func (t Terms) with(n int) Terms {
	for len(t) <= n/8 {
		t = append(t, 0)
	}
	t[n/8] |= 1 << (n % 8)
	return t
}

// Has reports whether a term is in the set.
func (t Terms) Has(n int) bool { return n/8 < len(t) && t[n/8]&(1<<(n%8)) != 0 }

// Meets reports whether two sets have a term in common.
func (t Terms) Meets(other Terms) bool {
	for i := range min(len(t), len(other)) {
		if t[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// And are the terms of both.
func (t Terms) And(other Terms) Terms {
	out := slices.Clone(t)
	for i, b := range other {
		if i < len(out) {
			out[i] |= b
		} else {
			out = append(out, b)
		}
	}
	return out
}

// TermsOf are the terms that an invoice has.
func TermsOf(inv *model.Invoice) Terms {
	out := make(Terms, (len(numbered().names)+7)/8)
	var walk func(o model.Object)
	walk = func(o model.Object) {
		first := numbered().first[o.Type]
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			if !o.Has(f) {
				continue
			}
			out = out.with(first + i)
			switch f.Kind {
			case model.KindGroup:
				walk(o.Group(f))
			case model.KindList:
				for n := range o.List(f).Len() {
					walk(o.List(f).At(n))
				}
			}
		}
	}
	walk(model.ObjectOf(inv))
	return out
}
