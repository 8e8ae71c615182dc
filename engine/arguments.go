package engine

import "strings"

// firstArguments are the literals that calls of a function in an expression begin with.
func firstArguments(text, function string) (found []string) {
	for {
		i := strings.Index(text, function)
		if i < 0 {
			return found
		}
		before := text[:i]
		text = text[i+len(function):]
		argument, isCall := strings.CutPrefix(text, "(")
		argument = strings.TrimLeft(argument, " \t\n\r\f")
		if !isCall || before != "" && isWordByte(before[len(before)-1]) || argument == "" || argument[0] != '"' && argument[0] != '\'' {
			continue
		}
		if end := strings.IndexAny(argument[1:], "\"'"); end >= 0 {
			found = append(found, argument[1:][:end])
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
