package importer

import (
	"fmt"
	"regexp"
	"strings"

	"einvoice/model/pattern"
	"einvoice/service/importer/xpath2"
)

// text is a value as one text, "" where there is none.
func (t *translator) text(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nothing:
		return term{`""`, whole}
	case text:
		if len(v.quantor) == 0 {
			return v.term
		}
		if len(v.quantor) == 1 {
			o := v.quantor[0]
			if v.text == o.variable {
				return call("%s.firstOr(\"\")", o.list)
			}
			return call("%s.map(%s, %s).firstOr(\"\")", o.list, o.variable, v.text)
		}
	case nodes:
		t.readable(n, v.alternatives)
		if from, self := v.self(); self {
			return call("%s.text()", from)
		}
		if from, many, path, ok := v.alternatives.path(); ok && !many {
			return call("%s.text(%s)", from, quoted(path))
		}
		return call("%s.firstOr(\"\")", v.alternatives.texts().in(whole))
	case texts:
		return call("%s.firstOr(\"\")", v.in(whole))
	case choice:
		return chosenText(v.condition, t.text(n, v.then), t.text(n, v.other))
	case number:
		if v.literal != nil {
			return term{quoted(*v.literal), whole}
		}
	case boolean:
		return chosenText(v.each(v.term), term{`"true"`, whole}, term{`"false"`, whole})
	case sequence:
		if len(v.members) == 1 {
			return t.text(n, v.members[0])
		}
	}
	refuse(n, "this is not translated as one text")
	return term{}
}

// readable refuses the text of a group: for XPath it is that of all elements in it, with the white
// space between them; for rules, a group has none.
func (t *translator) readable(n *xpath2.Node, a alternatives) {
	for _, one := range a {
		places, err := t.follow(one)
		if err != nil || len(places) == 0 || one.attribute {
			continue
		}
		name, group := "", true
		for e := range places {
			group = group && len(e.Children) > 0
			name = max(name, e.Name)
		}
		if group {
			refuse(n, "%s holds elements, and no text of its own: name the one whose text is meant", name)
		}
	}
}

func chosenText(c, a, b term) term {
	return term{fmt.Sprintf("%s ? %s : %s", c.in(either), a.in(either), b.in(either)), choose}
}

// texts is a value as a list of texts.
func (t *translator) texts(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nodes:
		if v.first {
			refuse(n, "the first of several elements is not translated as a list")
		}
		t.readable(n, v.alternatives)
		return v.alternatives.texts()
	case texts:
		return v.term
	case text:
		if len(v.quantor) == 0 {
			return call("[%s]", v.text)
		}
		if len(v.quantor) == 1 {
			o := v.quantor[0]
			if v.text == o.variable {
				return term{o.list, whole}
			}
			return call("%s.map(%s, %s)", o.list, o.variable, v.text)
		}
	case choice:
		return term{fmt.Sprintf("%s ? %s : %s", v.condition.in(either), t.texts(n, v.then).in(either), t.texts(n, v.other).in(either)), choose}
	case sequence:
		if literals(v) {
			var all []string
			for _, m := range v.members {
				all = append(all, m.text)
			}
			return call("[%s]", strings.Join(all, ", "))
		}
		var all []string
		for _, m := range v.members {
			all = append(all, t.texts(n, m).in(added))
		}
		return term{strings.Join(all, " + "), added}
	}
	refuse(n, "this is not translated as a list of texts")
	return term{}
}

func someText(t term) *value { return &value{kind: text, term: t} }

var textConditions = map[string]string{"contains": "contains", "starts-with": "startsWith", "ends-with": "endsWith"}

// textFunctions make one text of texts.
var textFunctions = map[string]func(n *xpath2.Node, a []term) term{
	"string":           func(_ *xpath2.Node, a []term) term { return a[0] },
	"normalize-space":  method("normalizeSpace"),
	"upper-case":       method("upperCase"),
	"lower-case":       method("lowerCase"),
	"substring-before": method("substringBefore"),
	"substring-after":  method("substringAfter"),
	"translate":        method("translate"),
	"concat": func(_ *xpath2.Node, a []term) term {
		var all []string
		for _, one := range a {
			all = append(all, one.in(added))
		}
		return term{strings.Join(all, " + "), added}
	},
}

func method(name string) func(*xpath2.Node, []term) term {
	return func(_ *xpath2.Node, a []term) term {
		var rest []string
		for _, one := range a[1:] {
			rest = append(rest, one.text)
		}
		return call("%s.%s(%s)", a[0].in(whole), name, strings.Join(rest, ", "))
	}
}

// literalSeparators are those of lists of codes that are written in one text.
var literalSeparators = map[string]func() *regexp.Regexp{`\s+`: pattern.Later(`\s+`), `\s`: pattern.Later(`\s`), " ": pattern.Later(" ")}

func (t *translator) tokenize(n *xpath2.Node, v *value, pattern string) *value {
	if separator := literalSeparators[pattern]; v.literal != nil && separator != nil {
		out := &value{kind: sequence}
		for _, code := range separator().Split(*v.literal, -1) {
			out.members = append(out.members, literalText(code))
		}
		if *v.literal == "" {
			out = &value{kind: nothing}
		}
		return out
	}
	of := t.text(n, v)
	parts := &value{kind: texts, term: call("%s.splitMatches(%s)", of.in(whole), quoted(t.pattern(n, pattern)))}
	if v.literal != nil && *v.literal != "" {
		return parts
	}
	return either2(term{of.in(added) + ` == ""`, compared}, &value{kind: nothing}, parts) // an empty text has no parts
}

// substring is XPath's, which takes positions that the text does not have.
func (t *translator) substring(n *xpath2.Node, s *scope) *value {
	of := t.text(n, t.argument(n, 0, s))
	var at []string
	for _, a := range n.Args[1:] {
		v := t.atom(a, t.value(a, s), number)
		if !v.integer || len(v.quantor) > 0 {
			refuse(a, "a position that is not an integer is not translated")
		}
		at = append(at, v.text)
	}
	return someText(call("%s.substringXPath(%s)", of.in(whole), strings.Join(at, ", ")))
}

// matches asks for a regular expression; of those that only say how long a text is, its length.
func (t *translator) matches(n *xpath2.Node, of term, pattern string) term {
	if least, most, ok := lengthAlone(pattern); ok {
		return joined("&&",
			call(`!%s.contains("\n")`, of.in(whole)).weaker(prefixed),
			term{fmt.Sprintf("%s.size() >= %d", of.in(whole), least), compared},
			term{fmt.Sprintf("%s.size() <= %d", of.in(whole), most), compared})
	}
	return call("%s.matches(%s)", of.in(whole), quoted(t.pattern(n, pattern)))
}

// lengthAlone reads ^(.{1,50})$ and the like with more than RE2 can count.
func lengthAlone(pattern string) (least, most int, ok bool) {
	s := strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	if len(s) != len(pattern)-2 {
		return 0, 0, false
	}
	for strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s = s[1 : len(s)-1]
	}
	if n, err := fmt.Sscanf(s, ".{%d,%d}", &least, &most); err != nil || n != 2 || s != fmt.Sprintf(".{%d,%d}", least, most) {
		return 0, 0, false
	}
	return least, most, most > 1000
}

// pattern is a regular expression of XPath as RE2 has it.
func (t *translator) pattern(n *xpath2.Node, s string) string {
	var b strings.Builder
	class := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; e {
			case 'd':
				b.WriteString(`\p{Nd}`)
			case 'D':
				b.WriteString(`\P{Nd}`)
			case 's':
				b.WriteString(map[bool]string{true: ` \t\n\r`, false: `[ \t\n\r]`}[class > 0])
			case 'S':
				if class > 0 {
					refuse(n, `\S in [...] is not translated`)
				}
				b.WriteString(`[^ \t\n\r]`)
			case 'w', 'W', 'i', 'I', 'c', 'C':
				refuse(n, `\%c in a regular expression is not translated`, e)
			default:
				b.WriteByte('\\')
				b.WriteByte(e)
			}
		case c == '[' && class > 0:
			refuse(n, "the difference of classes in a regular expression is not translated")
		case c == '[':
			class++
			b.WriteByte(c)
		case c == ']' && class > 0:
			class--
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
