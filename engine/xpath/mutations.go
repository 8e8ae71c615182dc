package xpath

import "strings"

// A Mutation is a context with one small change, to see whether anything notices.
type Mutation struct {
	Text string // with the change
	What string // was changed
}

// swaps are operators and functions of predicates with what takes their place.
var swaps = []struct{ word, with string }{
	{"!=", "="}, {"=", "!="}, {"<=", "<"}, {">=", ">"}, {"<", "<="}, {">", ">="}, {" and ", " or "}, {" or ", " and "}, {"not(", "boolean("},
}

// Mutations are the contexts with one operator or constant of a predicate changed, or
// without one predicate or one of the paths that | joins.
func Mutations(text string) (all []Mutation) {
	add := func(changed, what string) {
		if _, err := Parse(changed); err == nil {
			all = append(all, Mutation{changed, what})
		}
	}
	depth, open := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return all
			}
			end += i + 1
			if depth > 0 && end > i+1 {
				add(text[:end]+"~"+text[end:], "the text "+text[i:end+1])
			}
			i = end
		case c == '[':
			if depth++; depth == 1 {
				open = i
			}
		case c == ']':
			if depth--; depth == 0 {
				add(text[:open]+text[i+1:], "the predicate "+text[open:i+1]+" removed")
			}
		case depth == 0 && c == '|':
			add(strings.TrimSpace(text[:i]), "only what is before |")
			add(strings.TrimSpace(text[i+1:]), "only what is after |")
		case depth > 0:
			for _, s := range swaps {
				if strings.HasPrefix(text[i:], s.word) {
					add(text[:i]+s.with+text[i+len(s.word):], strings.TrimSpace(s.word)+" to "+strings.TrimSpace(s.with))
					i += len(s.word) - 1
					if strings.HasSuffix(s.word, " ") {
						i--
					}
					break
				}
			}
		}
	}
	return all
}
