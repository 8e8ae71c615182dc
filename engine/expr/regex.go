package expr

import "regexp"

// regularExpression compiles one that is written as a literal, as all are: a
// pattern out of an invoice would be an attack.
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
		if !ok || !act.pay(matched*len(s)) {
			return false, false
		}
		return re.MatchString(s), true
	}), nil
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

// replaceMatches is regexp.ReplaceAllString that pays for what it makes: a short
// template may make much out of a text.
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
		return list{texts: re.Split(s, -1)}, true
	}), nil
}
