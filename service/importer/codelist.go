package importer

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/service/importer/xpath2"
)

// few is how many codes stand in an assertion; more become a code list.
const few = 24

// A codeLists gathers the code lists of an artefact.
type codeLists struct {
	prefix string
	names  map[string]string // of the codes in order, the name
	known  map[string]string // of lists that are there
	lists  []CodeList
}

// A CodeList is codes that an assertion asks for.
type CodeList struct {
	Name  string
	Codes []string
}

func keyOf(codes []string) string {
	sorted := slices.Clone(codes)
	slices.Sort(sorted)
	return strings.Join(slices.Compact(sorted), " ")
}

// name is the name of a list with these codes.
func (l *codeLists) name(codes []string) string {
	key := keyOf(codes)
	if known, ok := l.known[key]; ok {
		return known
	}
	name, ok := l.names[key]
	if !ok {
		name = fmt.Sprintf("%s-%d", l.prefix, len(l.lists)+1)
		l.names[key] = name
		l.lists = append(l.lists, CodeList{name, strings.Fields(key)})
	}
	return name
}

// among asks whether a text is one of the codes as it is written.
func (l *codeLists) among(of term, codes []string) term {
	if len(codes) == 1 {
		return term{of.in(added) + " == " + quoted(codes[0]), compared}
	}
	if len(codes) > few && !slices.ContainsFunc(codes, func(c string) bool { return strings.ContainsAny(c, " \t\n") }) {
		return joined("&&", call("%s.isInCodeList(%s)", of.in(whole), quoted(l.name(codes))), term{of.in(added) + " == " + of.in(whole) + ".normalizeSpace()", compared})
	}
	var all []string
	for _, c := range codes {
		all = append(all, quoted(c))
	}
	return term{of.in(added) + " in [" + strings.Join(all, ", ") + "]", compared}
}

// codeListOf reads what Schematron asks of codes: not(contains(normalize-space(X), ' ')) and
// contains(' A B ', concat(' ', normalize-space(X), ' ')), or the opposite of it.
func (t *translator) codeListOf(n *xpath2.Node, s *scope) (term, bool) {
	one, other := n.Args[0], n.Args[1]
	if n.Op == xpath2.And {
		if one = inside(one, "not"); one == nil {
			return term{}, false
		}
	} else if other = inside(other, "not"); other == nil {
		return term{}, false
	}
	x := hasBlank(one)
	codes, y := isAmong(other)
	if x == nil || y == nil || !same(x, y) {
		return term{}, false
	}
	of := t.text(n, t.value(x, s))
	found := t.lists.asked(of, strings.Fields(codes))
	if strings.Contains(codes, "  ") { // between two blanks is the empty text
		found = joined("||", term{of.in(whole) + `.normalizeSpace() == ""`, compared}, found)
	}
	if n.Op == xpath2.Or {
		found = negated(found)
	}
	return found, true
}

// asked asks whether a text, white space around it aside, is one of the codes.
func (l *codeLists) asked(of term, codes []string) term {
	if len(codes) > few {
		return call("%s.isInCodeList(%s)", of.in(whole), quoted(l.name(codes)))
	}
	return l.among(call("%s.normalizeSpace()", of.in(whole)), codes)
}

// inside is the argument of a function, nil for anything else.
func inside(n *xpath2.Node, function string) *xpath2.Node {
	if n.Op == xpath2.Call && n.Name == function && len(n.Args) == 1 {
		return n.Args[0]
	}
	return nil
}

// hasBlank is X in contains(normalize-space(X), ' ').
func hasBlank(n *xpath2.Node) *xpath2.Node {
	if n.Op != xpath2.Call || n.Name != "contains" || len(n.Args) != 2 || n.Args[1].Op != xpath2.Text || n.Args[1].Text != " " {
		return nil
	}
	return inside(n.Args[0], "normalize-space")
}

// isAmong is X and the codes in contains(' A B ', concat(' ', normalize-space(X), ' ')).
func isAmong(n *xpath2.Node) (codes string, x *xpath2.Node) {
	if n.Op != xpath2.Call || n.Name != "contains" || len(n.Args) != 2 || n.Args[0].Op != xpath2.Text {
		return "", nil
	}
	joined := n.Args[1]
	if joined.Op != xpath2.Call || joined.Name != "concat" || len(joined.Args) != 3 || joined.Args[0].Text != " " || joined.Args[2].Text != " " {
		return "", nil
	}
	return n.Args[0].Text, inside(joined.Args[1], "normalize-space")
}

// same reports whether two expressions are written alike.
func same(a, b *xpath2.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.Name == b.Name && a.Text == b.Text && a.Root == b.Root && slices.EqualFunc(a.Args, b.Args, same) &&
		slices.EqualFunc(a.Steps, b.Steps, func(x, y *xpath2.Step) bool {
			return x.Descendant == y.Descendant && x.Axis == y.Axis && x.Test == y.Test && same(x.Expr, y.Expr) && slices.EqualFunc(x.Predicates, y.Predicates, same)
		})
}
