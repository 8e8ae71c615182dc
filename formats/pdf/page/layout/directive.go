package layout

import (
	"strings"

	"einvoice/formats/pdf/page/typeset"
)

// A directive is how codes of exemption reasons name the articles of a directive: what
// they begin with, and the article behind it.
type directive struct {
	Prefix string
}

// Article is the article that a code names: 132 (1) (a) of VATEX-EU-132-1A; empty if the
// code names none.
func (d directive) Article(code string) string {
	rest, found := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(code)), d.Prefix)
	const longest = 40
	if !found || d.Prefix == "" || rest == "" || len(rest) > longest || !isDigit(rest[0]) {
		return ""
	}
	article, rest, _ := strings.Cut(rest, "-")
	for rest != "" {
		n := 0
		for n < len(rest) && isDigit(rest[n]) == isDigit(rest[0]) && rest[n] != '-' {
			n++
		}
		if n > 0 {
			article += " (" + strings.ToLower(rest[:n]) + ")"
		}
		rest = strings.TrimPrefix(rest[n:], "-")
	}
	return typeset.Solid(article)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
