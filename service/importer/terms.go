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
	places := strings.Split(bare(r.Context), " | ")
	for _, m := range pathInAssertion().FindAllStringSubmatch(r.Assert, -1) {
		for _, path := range strings.Split(bare(m[2]), " | ") {
			for _, place := range places {
				if m[1] != "this" {
					place = "…/"
				}
				add(below(place, path))
			}
		}
	}
	if len(codes) == 0 {
		for _, place := range places {
			add(below(place, "."))
		}
	}
	const most = 6
	return codes[:min(len(codes), most)]
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
