package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"

	"einvoice/model"
)

// A Mutation is an expression with one small change, to see whether anything notices.
type Mutation struct {
	Text string // with the change
	What string // was changed, such as "== to !="
}

// swaps are the operators, and the words used like them, with what takes their place.
var swaps = map[string]string{
	"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*",
	"all": "exists", "exists": "all", "true": "false", "false": "true", "startsWith": "endsWith", "endsWith": "startsWith",
}

// Mutations are all expressions with one operator, constant or term changed that are
// expressions still.
func Mutations(text string, this This) []Mutation {
	var all []Mutation
	add := func(from, to int, with, what string) {
		m := Mutation{text[:from] + with + text[to:], what}
		if _, err := check(m.Text, this); err == nil {
			all = append(all, m)
		}
	}
	for _, t := range tokens(text) {
		word := text[t.from:t.to]
		switch {
		case t.kind == tokenText && len(word) > 2:
			end := len(word) - 1
			add(t.from, t.to, word[:end]+"~"+word[end:], "the text "+word)
		case t.kind == tokenNumber:
			other := "1" + word // 2 becomes 12, 0 becomes 10
			add(t.from, t.to, other, "the number "+word+" to "+other)
		case word == "!":
			add(t.from, t.to, "", "! removed")
		case swaps[word] != "":
			add(t.from, t.to, swaps[word], word+" to "+swaps[word])
		}
	}
	for _, f := range siblings(text, this) {
		add(f.from, f.to, f.with, fmt.Sprintf("the term %s to %s", text[f.from:f.to], f.with))
	}
	return all
}

type tokenKind int

const (
	tokenSign tokenKind = iota
	tokenWord
	tokenText
	tokenNumber
)

type token struct {
	kind     tokenKind
	from, to int
}

// tokens takes an expression apart; white space is left out.
func tokens(text string) (all []token) {
	for i := 0; i < len(text); {
		from := i
		kind := tokenSign
		switch c := text[i]; {
		case strings.IndexByte(" \t\n\r", c) >= 0:
			i++
			continue
		case c == '"' || c == '\'' || c == 'r' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\''):
			kind, i = tokenText, endOfText(text, i)
		case isWordByte(c) && (c < '0' || c > '9'):
			kind = tokenWord
			for i < len(text) && isWordByte(text[i]) {
				i++
			}
		case c >= '0' && c <= '9':
			kind = tokenNumber
			for i < len(text) && (isWordByte(text[i]) || text[i] == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9') {
				i++
			}
		case i+1 < len(text) && slices.Contains([]string{"==", "!=", "<=", ">=", "&&", "||"}, text[i:i+2]):
			i += 2
		default:
			i++
		}
		all = append(all, token{kind, from, i})
	}
	return all
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// endOfText is where a literal ends that begins at i.
func endOfText(text string, i int) int {
	raw := text[i] == 'r'
	if raw {
		i++
	}
	mark := text[i]
	for i++; i < len(text) && text[i] != mark; i++ {
		if text[i] == '\\' && !raw {
			i++
		}
	}
	return min(i+1, len(text))
}

// A replacement is another word for a part of a text.
type replacement struct {
	from, to int
	with     string
}

// siblings are the fields that an expression reads, each with the next one of its group
// that has the same type.
func siblings(text string, this This) (all []replacement) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.SelectKind {
			return
		}
		field := e.AsSelect().FieldName()
		group := provider().byName[tree.GetType(e.AsSelect().Operand().ID()).TypeName()]
		at := tree.SourceInfo().GetStartLocation(e.ID())
		if group == nil || at == nil || at.Line() > len(lines) {
			return
		}
		line := []rune(lines[at.Line()-1])
		from := len(strings.Join(lines[:at.Line()-1], "")) + len(string(line[:min(at.Column(), len(line))]))
		found := strings.Index(text[from:], field) // the place is that of the dot, or of has
		with := nextOfType(group.Name, field)
		if found < 0 || with == "" {
			return
		}
		all = append(all, replacement{from + found, from + found + len(field), with})
	}))
	return all
}

// nextOfType is the field after one of a group that has the same type, from the first
// again after the last; "" if there is none.
func nextOfType(group, field string) string {
	t := provider().byName[group]
	f, ok := t.Field(field)
	if !ok {
		return ""
	}
	i := slices.IndexFunc(t.Fields, func(other model.Field) bool { return other.Name == f.Name })
	for n := 1; n < len(t.Fields); n++ {
		other := &t.Fields[(i+n)%len(t.Fields)]
		if celTypeOf(other).String() == celTypeOf(f).String() {
			return other.Name
		}
	}
	return ""
}
