package transform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// A Supply has terms that a document lacks, by their paths in the invoice. These are the
// fields of findings, such as seller.contact.name or paymentInstructions.means[0].typeCode.
type Supply map[string]string

// supplyStep is a step of a path, with the index of an entry of a list.
var supplyStep = pattern.Later(`^([A-Za-z][A-Za-z0-9]*)(?:\[([0-9]{1,2})\])?$`)

// NamesTerm reports whether a name may be the path of a term: it begins with a term or a group
// of an invoice.
func NamesTerm(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	first, _, _ = strings.Cut(first, "[")
	_, ok := model.InvoiceType().Field(first)
	return ok
}

// Check returns an error for each wrong path or value.
func (s Supply) Check() []*problem.Error {
	_, wrong := s.invoice()
	return wrong
}

// invoice is an invoice of the supplied terms alone.
func (s Supply) invoice() (*model.Invoice, []*problem.Error) {
	var wrong []*problem.Error
	tree, entries := map[string]any{}, mostEntries
	for _, path := range slices.Sorted(maps.Keys(s)) {
		if err := plant(tree, path, s[path], &entries); err != nil {
			wrong = append(wrong, &problem.Error{Code: problem.CodeOption, Message: err.Error(), Field: path})
		}
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, append(wrong, problem.Option("", err)) // texts and maps of texts can always be encoded
	}
	supplied, err := jsoninvoice.Decode(context.Background(), data) // options are few
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		for _, m := range e.Mistakes {
			wrong = append(wrong, &problem.Error{Code: problem.CodeOption, Message: fmt.Sprintf("the term %s: %s", quote.Value(m.Field), m.Message), Field: m.Field})
		}
	}
	return supplied, wrong
}

// mostEntries bounds the entries of lists that are made on the way to terms: a path of some
// bytes asks for a hundred of them at each step.
const mostEntries = 200

// plant puts a value into a tree of objects and arrays, which may make so many entries more.
func plant(tree map[string]any, path, value string, entries *int) error {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		parts := supplyStep().FindStringSubmatch(step)
		if parts == nil {
			return fmt.Errorf("%s is not a path of a term; write it as in seller.contact.name or lines[0].note", quote.Value(path))
		}
		name, last := parts[1], i == len(steps)-1
		have, index := tree[name], parts[2]
		switch {
		case last && have == nil && index == "":
			tree[name] = value
			return nil
		case last:
			return fmt.Errorf("%s is a group; name a term in it", quote.Value(path))
		case index == "" && have == nil:
			inner := map[string]any{}
			tree[name], tree = inner, inner
		case index == "":
			inner, ok := have.(map[string]any)
			if !ok {
				return fmt.Errorf("%s does not go with what else is given of %s", quote.Value(path), name)
			}
			tree = inner
		default:
			list, ok := have.([]any)
			if have != nil && !ok {
				return fmt.Errorf("%s does not go with what else is given of %s", quote.Value(path), name)
			}
			at, _ := strconv.Atoi(index)
			if *entries -= max(at+1-len(list), 0); *entries < 0 {
				return fmt.Errorf("%s is of more entries than can be supplied, which are %d in all", quote.Value(path), mostEntries)
			}
			for len(list) <= at {
				list = append(list, map[string]any{})
			}
			tree[name] = list
			tree, _ = list[at].(map[string]any)
		}
	}
	return nil
}

// into puts the terms into an invoice that lacks them.
func (s Supply) into(inv *model.Invoice) []*problem.Error {
	supplied, wrong := s.invoice()
	if wrong != nil {
		return wrong
	}
	return supplyGroup("", model.ObjectOf(inv), model.ObjectOf(supplied))
}

func supplyGroup(path string, into, from model.Object) (wrong []*problem.Error) {
	refuse := func(at, format string, args ...any) {
		wrong = append(wrong, &problem.Error{Code: problem.CodeOption, Message: fmt.Sprintf(format, args...), Field: at})
	}
	for i := range from.Type.Fields {
		f := &from.Type.Fields[i]
		at := model.Join(path, f.Name)
		switch {
		case !from.Has(f):
		case f.Kind == model.KindGroup:
			wrong = append(wrong, supplyGroup(at, into.EnsureGroup(f), from.Group(f))...)
		case f.Kind == model.KindList:
		entries:
			for i := range from.List(f).Len() {
				entry := fmt.Sprintf("%s[%d]", at, i)
				given := from.List(f).At(i)
				switch {
				case i < into.List(f).Len():
					wrong = append(wrong, supplyGroup(entry, into.List(f).At(i), given)...)
				case !hasAny(given):
					refuse(entry, "there is no %s; begin with the first entry that the document lacks", entry)
					break entries
				default:
					wrong = append(wrong, supplyGroup(entry, into.AppendGroup(f), given)...)
				}
			}
		case into.Has(f) && strings.TrimSpace(into.Raw(f)) != "":
			refuse(at, "the document has the term %s already, as %s; only what it lacks can be supplied", quote.Value(at), quote.Value(into.Raw(f)))
		default:
			into.CopyLeaf(f, from)
		}
	}
	return wrong
}

func hasAny(o model.Object) bool {
	for i := range o.Type.Fields {
		if o.Has(&o.Type.Fields[i]) {
			return true
		}
	}
	return false
}
