package parse

import "gopkg.in/yaml.v3"

// labels finds phrases in sequences of tokens.
type labels struct {
	byFirst map[string][]phrase
}

type phrase struct {
	tokens []string
	field  string
	length int // in characters
}

// A token is a part of a row that labels are compared by.
type token struct {
	text string
	word int // the index of its word in the row
}

// UnmarshalYAML reads phrases by the field that they name: a list, or lists by language. A
// list alone names no field.
func (l *labels) UnmarshalYAML(n *yaml.Node) error {
	l.byFirst = map[string][]phrase{}
	if n.Kind == yaml.SequenceNode {
		return l.add("", n)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := l.add(n.Content[i].Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (l *labels) add(field string, n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 1; i < len(n.Content); i += 2 {
			if err := l.add(field, n.Content[i]); err != nil {
				return err
			}
		}
		return nil
	}
	var names []string
	err := n.Decode(&names)
	for _, name := range names {
		p := phrase{tokens: tokens(name), field: field, length: len(fold(name))}
		if len(p.tokens) > 0 {
			l.byFirst[p.tokens[0]] = append(l.byFirst[p.tokens[0]], p)
		}
	}
	return err
}

// names tells whether a field has a phrase.
func (l *labels) names(field string) bool {
	for _, phrases := range l.byFirst {
		for _, p := range phrases {
			if p.field == field {
				return true
			}
		}
	}
	return false
}

// A match is a phrase at the beginning of a sequence of tokens.
type match struct {
	phrase
	used int // tokens of the sequence, of which one may be a currency inside the phrase
}

// longest is the longest phrase that a sequence of tokens begins with. Where one text
// is a phrase of several fields, the field that comes first in the alphabet is chosen,
// so that the same page always gives the same answer.
func (l *labels) longest(sequence []token) (best match, ok bool) {
	if len(sequence) == 0 {
		return best, false
	}
	for _, p := range l.byFirst[sequence[0].text] {
		longer := len(p.tokens) > len(best.tokens) || len(p.tokens) == len(best.tokens) && p.field < best.field
		if !longer {
			continue
		}
		if n := prefixed(sequence, p.tokens); n > 0 {
			best, ok = match{p, n}, true
		}
	}
	return best, ok
}

// prefixed is how many tokens of a sequence a phrase takes that it begins with; 0 if it does
// not. A currency may be inside the phrase, as in Total EUR HT.
func prefixed(sequence []token, prefix []string) int {
	i := 0
	for k, t := range prefix {
		if k > 0 && i == k && i < len(sequence) && sequence[i].text != t && isCurrency(sequence[i:i+1]) {
			i++
		}
		if i >= len(sequence) || sequence[i].text != t {
			return 0
		}
		i++
	}
	return i
}

// isCurrency tells whether tokens are a currency.
func isCurrency(sequence []token) bool {
	m, ok := words().Currencies.longest(sequence)
	return ok && m.used == len(sequence)
}

// exactly is the field of a text that is a phrase as a whole.
func (l *labels) exactly(text string) (field string, ok bool) {
	var sequence []token
	for _, t := range tokens(text) {
		sequence = append(sequence, token{text: t})
	}
	m, ok := l.longest(sequence)
	return m.field, ok && m.used == len(sequence)
}
