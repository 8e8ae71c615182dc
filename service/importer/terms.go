package importer

import (
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/pattern"
)

var (
	pathInAssertion = pattern.Later(`(this|[ex][0-9]+)\.(?:text|texts|has|count|elements|total)\("((?:[^"\\]|\\.)*)"`)
	loopOver        = pattern.Later(`^\.\w+\((e[0-9]+), `)
	elementsAt      = pattern.Later(`^(this|e[0-9]+)\.elements\("((?:[^"\\]|\\.)*)"\)`)
	predicates      = pattern.Later(`\[[^\[\]]*\]`)
	roots           = pattern.Later(`^/?/?(?:\*|ubl:Invoice|cn:CreditNote|rsm:CrossIndustryInvoice)(?:/|$)`)
)

// termsOf are the codes of the terms that a rule is about: those that are read at the paths of
// its assertion, or at its context where that names none.
func termsOf(r *Rule) []string {
	format, err := formats.For(model.Syntax(r.Syntax))
	if err != nil {
		return nil
	}
	var codes []string
	add := func(path string) {
		for _, t := range format.Terms() {
			for _, xml := range t.XML {
				xml = roots().ReplaceAllString(bare(xml), "")
				if t.Field.BT != "" && !slices.Contains(codes, t.Field.BT) && (xml == path || path != "" && strings.HasPrefix(path, "…") && strings.HasSuffix("/"+xml, strings.TrimPrefix(path, "…"))) {
					codes = append(codes, t.Field.BT)
				}
			}
		}
	}
	contexts := strings.Split(bare(r.Context), " | ")
	places := map[string][]string{"this": contexts}
	for _, l := range loopsOf(r.Assert) {
		places[l.variable] = reached(places[l.from], l.path)
	}
	for _, m := range pathInAssertion().FindAllStringSubmatch(r.Assert, -1) {
		for _, place := range reached(places[m[1]], m[2]) {
			add(place)
		}
	}
	if len(codes) == 0 {
		for _, place := range contexts {
			add(below(place, "."))
		}
	}
	const most = 6
	return codes[:min(len(codes), most)]
}

// reached are the places that a path leads to from places.
func reached(from []string, path string) (to []string) {
	for _, one := range strings.Split(bare(path), " | ") {
		for _, place := range from {
			to = append(to, below(place, one))
		}
	}
	return to
}

// A loop says that a variable goes through the elements at a path from another.
type loop struct{ variable, from, path string }

// loopsOf finds the loops of an assertion, an outer one before those inside. One through
// anything else than elements, or some of them, is left out.
func loopsOf(assert string) (loops []loop) {
	start := 0         // of the value that a call is about
	var around []int   // the starts of those that are open
	var name, end bool // the character before belongs to a name, or ends a value
	for i := 0; i < len(assert); i++ {
		c := assert[i]
		if c == '.' {
			m, at := loopOver().FindStringSubmatch(assert[i:]), elementsAt().FindStringSubmatch(assert[start:i])
			if m != nil && at != nil {
				loops = append(loops, loop{m[1], at[1], at[2]})
			}
		}
		switch {
		case c == '"':
			for i++; i < len(assert) && assert[i] != '"'; i++ {
				if assert[i] == '\\' {
					i++
				}
			}
			name, end = false, true
		case c == '(' || c == '[':
			if !name && !end {
				start = i
			}
			around = append(around, start)
			name, end = false, false
		case (c == ')' || c == ']') && len(around) > 0:
			start, around = around[len(around)-1], around[:len(around)-1]
			name, end = false, true
		case c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			if !name && (i == 0 || assert[i-1] != '.') {
				start = i
			}
			name, end = true, false
		default:
			name, end = false, c == '.'
		}
	}
	return loops
}

// bare is a path without predicates.
func bare(path string) string {
	for {
		shorter := predicates().ReplaceAllString(path, "")
		if shorter == path {
			return path
		}
		path = shorter
	}
}

// below is a path from a place, below the document element; one of which the beginning is not
// known begins with an ellipsis.
func below(place, path string) string {
	if strings.HasPrefix(path, "/") {
		place = ""
	}
	joined := path
	if place != "" {
		joined = place + "/" + path
	}
	if i := strings.LastIndex(joined, "//"); i > 0 { // what is between is not known
		joined = joined[i:]
	}
	unknown := strings.HasPrefix(joined, "//") || strings.HasPrefix(joined, "…")
	var steps []string
	if at := roots().FindString(joined); at != "" {
		unknown = false
		joined = strings.TrimPrefix(joined, at)
	}
	for _, s := range strings.Split(strings.TrimLeft(joined, "/…"), "/") {
		switch {
		case s == "." || s == "":
		case s == ".." && len(steps) > 0:
			steps = steps[:len(steps)-1]
		default:
			steps = append(steps, s)
		}
	}
	out := strings.Join(steps, "/")
	if unknown {
		return "…/" + out
	}
	return out
}
