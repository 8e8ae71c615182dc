package expr

import (
	"io"
	"regexp"
	"unicode/utf8"
)

// regularExpression compiles an argument, which must be a literal: a pattern that
// comes out of an invoice would be an attack.
func regularExpression(arg compiled) (*regexp.Regexp, error) {
	text, err := literalText(arg, "regular expression")
	if err != nil {
		return nil, err
	}
	return regexp.Compile(text)
}

func compileMatches(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text := args[0].text
	return asBool(func(act *Activation) (bool, bool) {
		s, ok := text(act)
		if !ok {
			return false, false
		}
		if len(s) < longText {
			return re.MatchString(s), act.pay(written * len(s))
		}
		return re.MatchReader(&runes{act: act, left: s}), true
	}), nil
}

// longText is how many bytes a regular expression looks at without a look at the
// budget.
const longText = 1 << 14

// runes reads a long text for a regular expression, a step for each character,
// and ends when the budget stops it.
type runes struct {
	act  *Activation
	left string
}

// ReadRune is that of io.RuneReader.
func (r *runes) ReadRune() (c rune, size int, err error) {
	if r.left == "" || !r.act.step() {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.left)
	r.left = r.left[size:]
	return c, size, nil
}

func compileReplaceMatches(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text, with := args[0].text, args[2].text
	return asText(func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok {
			return "", false
		}
		template, ok := with(act)
		if !ok || !act.pay(rewritten*len(s)) {
			return "", false
		}
		return act.replaceMatches(re, s, template)
	}), nil
}

// replaceMatches is regexp.ReplaceAllString, but pays for the text that it makes,
// which a short template can make very long.
func (act *Activation) replaceMatches(re *regexp.Regexp, s, template string) (string, bool) {
	var out []byte
	last := 0
	for _, match := range re.FindAllStringSubmatchIndex(s, -1) {
		before := len(out)
		out = append(out, s[last:match[0]]...)
		out = re.ExpandString(out, template, s, match)
		if !act.pay(written * (len(out) - before)) {
			return "", false
		}
		last = match[1]
	}
	return string(append(out, s[last:]...)), true
}

func compileSplitMatches(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text := args[0].text
	return asList(func(act *Activation) (list, bool) {
		s, ok := text(act)
		if !ok || !act.pay(rewritten*len(s)) {
			return list{}, false
		}
		return list{items: &items{texts: re.Split(s, -1)}}, true
	}), nil
}
