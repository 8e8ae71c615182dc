package kosit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine/budget"
	"einvoice/engine/xpath"
	"einvoice/engine/xpath/query"
	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/model/quote"
	"einvoice/model/source"
)

// matchSteps bounds the evaluation of one match, as rules are bounded.
const matchSteps = 1_000_000

// A match is the condition by which a scenario is chosen.
type match struct {
	expression *xpath.Expression
	literals   []string
}

// matchParts are the literals, qualified names and calls of exists() in a match.
var matchParts = pattern.Later(`'[^']*'|"[^"]*"|[A-Za-z_][\w.-]*:[A-Za-z_]|\bexists\s*\(`)

// newMatch reads a match. It is XPath 2.0, of which the part is understood that is XPath
// 1.0 and, for exists(), its boolean(). Its prefixes are those of the scenario.
func newMatch(text string, prefixes map[string]string) (*match, error) {
	m := &match{}
	var unknown error
	own := matchParts().ReplaceAllStringFunc(text, func(part string) string {
		switch prefix, rest, qualified := strings.Cut(part, ":"); {
		case part[0] == '\'' || part[0] == '"':
			m.literals = append(m.literals, part[1:len(part)-1])
			return part
		case qualified:
			ours, ok := prefixOf(prefixes[prefix])
			if !ok && unknown == nil {
				unknown = fmt.Errorf("its prefix %s stands for %s, which is not a namespace of UBL or CII", prefix, quote.Value(prefixes[prefix]))
			}
			return ours + ":" + rest
		}
		return "boolean("
	})
	if unknown != nil {
		return nil, unknown
	}
	var err error
	if inner, ok := strings.CutPrefix(own, "boolean("); ok { // a path alone is evaluated faster
		if m.expression, err = xpath.ParseExpression(strings.TrimSuffix(inner, ")")); err == nil {
			return m.checked()
		}
	}
	if m.expression, err = xpath.ParseExpression(own); err != nil {
		return nil, fmt.Errorf("it is not understood: %w; XPath 1.0, exists() and ends-with() are", err)
	}
	return m.checked()
}

// checked refuses a match of elements that no document has.
func (m *match) checked() (*match, error) {
	if m.expression.Root() != nil {
		return nil, errors.New("it is about elements without a namespace, which are not UBL or CII")
	}
	return m, nil
}

// prefixOf is the prefix that rules have for a namespace.
func prefixOf(uri string) (string, bool) {
	for prefix, known := range source.Prefixes {
		if known == uri {
			return prefix, true
		}
	}
	return "", false
}

// of reports whether a document matches.
func (m *match) of(ctx context.Context, doc *model.Document) (bool, error) {
	e := &xpath.Evaluation{}
	e.Begin(doc.Source, budget.New(ctx, matchSteps))
	found, err := query.Evaluate(m.expression, e, doc)
	if err != nil {
		return false, err
	}
	if found.IsSet {
		return len(found.Nodes) > 0, nil
	}
	return found.Value == "true", nil
}
