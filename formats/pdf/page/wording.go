package page

import (
	"maps"
	"strings"
)

// A wording is what the law, or its custom, wants to be said in a language.
type wording struct {
	// Titles are those of types of documents (BT-3) that are called otherwise than their
	// code, with a line that is shown below.
	Titles map[string]documentTitle `yaml:"titles"`
	// Reasons are what is said for a VAT category whose reason has no text.
	Reasons map[string]string `yaml:"reasons"`
}

type documentTitle struct {
	Title string `yaml:"title"`
	About string `yaml:"about"`
}

// wording is the wording for sellers of a country.
func (l *language) wording(country string) wording {
	own, differs := l.Countries[country]
	if !differs {
		return l.Wording
	}
	w := wording{maps.Clone(l.Wording.Titles), maps.Clone(l.Wording.Reasons)}
	maps.Copy(w.Titles, own.Titles)
	maps.Copy(w.Reasons, own.Reasons)
	return w
}

// A directive is how codes of exemption reasons name the articles of a directive: what
// they begin with, and the article behind it.
type directive struct {
	Prefix string
}

// article is the article that a code names: 132 (1) (a) of VATEX-EU-132-1A; empty if the
// code names none.
func (d directive) article(code string) string {
	rest, found := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(code)), d.Prefix)
	const longest = 40
	if !found || d.Prefix == "" || rest == "" || len(rest) > longest || !digit(rest[0]) {
		return ""
	}
	article, rest, _ := strings.Cut(rest, "-")
	for rest != "" {
		n := 0
		for n < len(rest) && digit(rest[n]) == digit(rest[0]) && rest[n] != '-' {
			n++
		}
		if n > 0 {
			article += " (" + strings.ToLower(rest[:n]) + ")"
		}
		rest = strings.TrimPrefix(rest[n:], "-")
	}
	return solid(article)
}
