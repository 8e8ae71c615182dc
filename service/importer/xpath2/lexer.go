package xpath2

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind byte

const (
	end kind = iota
	literal
	number
	name     // also with a prefix, and prefix:* and *:local
	variable // without its $
	symbol
)

type token struct {
	kind   kind
	text   string
	column int
	spaced bool // white space is before it
}

// symbols are the marks, the longer ones first.
var symbols = []string{"//", "..", "::", "!=", "<=", ">=", "<<", ">>", "/", ".", "@", "(", ")", "[", "]", ",", "|", "+", "-", "*", "=", "<", ">", "?"}

// tokens splits an expression.
func tokens(text string) ([]token, error) {
	var out []token
	counted, runes := 0, 0
	column := func(at int) int {
		runes += utf8.RuneCountInString(text[counted:at])
		counted = at
		return runes + 1
	}
	for i := 0; ; {
		from := i
		for i < len(text) && strings.ContainsRune(" \t\r\n\u00a0", rune(text[i])) {
			i++
		}
		if strings.HasPrefix(text[i:], "(:") {
			stop := endOfComment(text[i:])
			if stop < 0 {
				return nil, &Error{column(i), "the comment (: does not end"}
			}
			i += stop
			continue
		}
		t := token{column: column(i), spaced: i > from || i == 0}
		if i == len(text) {
			return append(out, t), nil
		}
		rest := text[i:]
		switch c := rest[0]; {
		case c == '"' || c == '\'':
			value, length := quoted(rest)
			if length == 0 {
				return nil, &Error{t.column, "the text does not end"}
			}
			t.kind, t.text = literal, value
			i += length
		case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			length := numberLength(rest)
			t.kind, t.text = number, rest[:length]
			i += length
		case c == '$':
			length := nameLength(rest[1:])
			if length == 0 {
				return nil, &Error{t.column, "a variable has a name after $"}
			}
			t.kind, t.text = variable, rest[1:1+length]
			i += 1 + length
		default:
			if length := nameLength(rest); length > 0 {
				t.kind, t.text = name, rest[:length]
				i += length
				break
			}
			for _, s := range symbols {
				if strings.HasPrefix(rest, s) {
					t.kind, t.text = symbol, s
					break
				}
			}
			if t.kind != symbol {
				r, _ := utf8.DecodeRuneInString(rest)
				return nil, &Error{t.column, "unexpected " + string(r)}
			}
			i += len(t.text)
		}
		out = append(out, t)
	}
}

func endOfComment(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "(:":
			depth++
			i++
		case ":)":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// quoted is the value of a literal, in which its mark is written twice, and its length.
func quoted(s string) (string, int) {
	mark := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] == mark {
			if i+1 < len(s) && s[i+1] == mark {
				i++
			} else {
				return b.String(), i + 1
			}
		}
		b.WriteByte(s[i])
	}
	return "", 0
}

func numberLength(s string) int {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' && !strings.HasPrefix(s[i:], "..")) {
		i++
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if digits := j; digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			return j
		}
	}
	return i
}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func isNamePart(r rune) bool {
	return isNameStart(r) || unicode.IsDigit(r) || r == '-' || r == '.' || r == '\u00b7'
}

func nameLength(s string) int {
	i := partLength(s)
	if i == 0 || i >= len(s)-1 || s[i] != ':' || s[i+1] == ':' {
		return i
	}
	if s[i+1] == '*' {
		return i + 2
	}
	if j := partLength(s[i+1:]); j > 0 {
		return i + 1 + j
	}
	return i
}

func partLength(s string) int {
	for i, r := range s {
		if i == 0 && !isNameStart(r) || !isNamePart(r) {
			return i
		}
	}
	return len(s)
}
