package expr

import (
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// Functions over elements of the source document, for rules that select there.
// Their path is a literal: relative to the element, or from the root when it
// begins with a slash; | joins several. Those that have a list as an argument ask
// each of its elements, one after the other.
var elementFunctions = []function{
	{"text", "The text of an element, or of the first element or attribute at a path; empty if there is none.", `this.text("cbc:ID") == "INV-2026-001" && this.text("cbc:UUID") == ""`,
		[]overload{
			member(func(a []compiled) compiled {
				return asText(func(act *Activation) (string, bool) {
					n, ok := a[0].element(act)
					return act.doc.Source.Text(n), ok
				})
			}, types.StringType, elementType),
			onPath(types.StringType, func(of fn[source.Node], path *xpath.SourcePath) compiled {
				return asText(func(act *Activation) (s string, ok bool) {
					n, ok := of(act)
					if !ok {
						return "", false
					}
					if r, found := path.First(act.evaluation, n); found {
						s = xpath.TextOf(act.doc.Source, r)
					}
					return s, true
				})
			}),
		}},
	{"has", "Whether there is an element or attribute at a path.", `this.has("cac:InvoiceLine/cbc:ID") && !this.has("cbc:UUID")`,
		[]overload{onPath(types.BoolType, func(of fn[source.Node], path *xpath.SourcePath) compiled {
			return asBool(func(act *Activation) (bool, bool) {
				n, ok := of(act)
				if !ok {
					return false, false
				}
				_, found := path.First(act.evaluation, n)
				return found, true
			})
		}), onPathOfEach(types.BoolType, func(of fn[list], path *xpath.SourcePath) compiled {
			return asBool(func(act *Activation) (found, ok bool) {
				ok = fromEach(act, of, path, func(source.Ref) bool { found = true; return false })
				return found, ok || found
			})
		})}},
	{"count", "How many elements or attributes a path reaches.", `this.count("cac:AllowanceCharge") == 2`,
		[]overload{onPath(types.IntType, func(of fn[source.Node], path *xpath.SourcePath) compiled {
			return asInt(func(act *Activation) (count int64, ok bool) {
				n, ok := of(act)
				if !ok {
					return 0, false
				}
				path.Each(act.evaluation, n, func(source.Ref) bool { count++; return true })
				return count, true
			})
		}), onPathOfEach(types.IntType, func(of fn[list], path *xpath.SourcePath) compiled {
			return asInt(func(act *Activation) (count int64, ok bool) {
				return count, fromEach(act, of, path, func(source.Ref) bool { count++; return true })
			})
		})}},
	{"elements", "The elements at a path, in document order; from a list, those of one element after those of the other.", `this.elements("cac:InvoiceLine").all(l, l.has("cbc:ID"))`,
		[]overload{onPath(types.NewListType(elementType), func(of fn[source.Node], path *xpath.SourcePath) compiled {
			return asList(func(act *Activation) (l list, ok bool) {
				n, ok := of(act)
				if !ok {
					return l, false
				}
				path.Each(act.evaluation, n, func(r source.Ref) bool {
					if r > 0 {
						to := l.own(act)
						to.elements = append(to.elements, r.Element())
					}
					return true
				})
				return l, true
			})
		}), onPathOfEach(types.NewListType(elementType), func(of fn[list], path *xpath.SourcePath) compiled {
			return asList(func(act *Activation) (l list, ok bool) {
				return l, fromEach(act, of, path, func(r source.Ref) bool {
					if r > 0 {
						to := l.own(act)
						to.elements = append(to.elements, r.Element())
					}
					return true
				})
			})
		})}},
	{"texts", "The texts of all elements or attributes at a path, in the same order.", `this.texts("cac:AllowanceCharge/cbc:Amount/@currencyID").all(c, c == "EUR")`,
		[]overload{onPath(listOfText, func(of fn[source.Node], path *xpath.SourcePath) compiled {
			return asList(func(act *Activation) (l list, ok bool) {
				n, ok := of(act)
				if !ok {
					return l, false
				}
				path.Each(act.evaluation, n, func(r source.Ref) bool {
					to := l.own(act)
					to.texts = append(to.texts, xpath.TextOf(act.doc.Source, r))
					return true
				})
				return l, true
			})
		}), onPathOfEach(listOfText, func(of fn[list], path *xpath.SourcePath) compiled {
			return asList(func(act *Activation) (l list, ok bool) {
				return l, fromEach(act, of, path, func(r source.Ref) bool {
					to := l.own(act)
					to.texts = append(to.texts, xpath.TextOf(act.doc.Source, r))
					return true
				})
			})
		})}},
	{"total", "The sum of the decimal numbers that elements and attributes at a path hold; 0 if there are none.", `this.total("cac:AllowanceCharge/cbc:Amount") == 20`,
		[]overload{onPath(decimalType, func(of fn[source.Node], path *xpath.SourcePath) compiled {
			return asNumber(func(act *Activation) (sum model.Decimal, ok bool) {
				n, ok := of(act)
				if !ok {
					return sum, false
				}
				ok = path.Each(act.evaluation, n, func(r source.Ref) bool { return act.addUp(&sum, r) })
				return sum, ok
			})
		}), onPathOfEach(decimalType, func(of fn[list], path *xpath.SourcePath) compiled {
			return asNumber(func(act *Activation) (sum model.Decimal, ok bool) {
				return sum, fromEach(act, of, path, func(r source.Ref) bool { return act.addUp(&sum, r) })
			})
		})}},
	{"inside", "Whether an element is inside an element of this name, at any depth.", `this.elements("//cbc:PayableAmount").all(a, a.inside("cac:LegalMonetaryTotal"))`,
		[]overload{{member: true, args: []*types.Type{elementType, types.StringType}, result: types.BoolType, compile: compileInside}}},
	{"name", "The qualified name of an element with its conventional prefix.", `this.name() == "ubl:Invoice"`,
		[]overload{member(func(a []compiled) compiled {
			return asText(func(act *Activation) (string, bool) {
				n, ok := a[0].element(act)
				return act.doc.Source.Spell(act.doc.Source.Name(n)), ok
			})
		}, types.StringType, elementType)}},
}

// addUp adds the number in a node; false if there is none.
func (act *Activation) addUp(sum *model.Decimal, r source.Ref) bool {
	text := xpath.TextOf(act.doc.Source, r)
	d, err := model.ParseDecimal(text)
	if err != nil {
		act.notNumber(text)
	}
	*sum = sum.Add(d)
	return err == nil && act.pay(len(text))
}

// fromEach visits what a path leads to from each element of a list; false where a visit or
// the budget stopped it, or the list has no value.
func fromEach(act *Activation, of fn[list], path *xpath.SourcePath, visit func(source.Ref) bool) bool {
	l, ok := of(act)
	if !ok {
		return false
	}
	for _, n := range l.all().elements {
		if !act.step() || !path.Each(act.evaluation, n, visit) {
			return false
		}
	}
	return true
}

// onPathOfEach is a function of a list of elements and of a path that is written out.
func onPathOfEach(result *types.Type, build func(fn[list], *xpath.SourcePath) compiled) overload {
	return withPath(types.NewListType(elementType), result, func(of compiled, path *xpath.SourcePath) compiled { return build(of.list, path) })
}

// onPath is onPathOfEach of one element.
func onPath(result *types.Type, build func(fn[source.Node], *xpath.SourcePath) compiled) overload {
	return withPath(elementType, result, func(of compiled, path *xpath.SourcePath) compiled { return build(of.element, path) })
}

func withPath(of, result *types.Type, build func(compiled, *xpath.SourcePath) compiled) overload {
	return overload{member: true, args: []*types.Type{of, types.StringType}, result: result,
		compile: func(env *Environment, args []compiled) (compiled, error) {
			text, err := literalText(args[1], "path")
			if err != nil {
				return compiled{}, err
			}
			path, err := env.path(text)
			if err != nil {
				return compiled{}, err
			}
			return build(args[0], path), nil
		}}
}

func compileInside(_ *Environment, args []compiled) (compiled, error) {
	text, err := literalText(args[1], "name")
	if err != nil {
		return compiled{}, err
	}
	q, err := source.ParseQName(text)
	if err != nil {
		return compiled{}, err
	}
	name, of := source.Intern(q)[0], args[0].element
	return asBool(func(act *Activation) (bool, bool) {
		n, ok := of(act)
		if !ok {
			return false, false
		}
		t := act.doc.Source
		for n = t.Parent(n); n != 0 && act.step(); n = t.Parent(n) {
			if t.Name(n) == name {
				return true, true
			}
		}
		return false, true
	}), nil
}
