package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"einvoice/model/pattern"

	"gopkg.in/yaml.v3"
)

// mostMistakes bounds what is told of one file.
const mostMistakes = 1000

// Mistakes are the mistakes that an error of Decode tells of, each with line and column
// and in words for people who write such files: the first thousand. data is the file.
func Mistakes(data []byte, err error) []*Error {
	if errors.Is(err, io.EOF) {
		return []*Error{{Line: 1, Column: 1, Message: "the file is empty"}}
	}
	lines := strings.Split(string(data), "\n")
	if several, is := errors.AsType[*yaml.TypeError](err); is {
		var all []*Error
		for _, message := range several.Errors[:min(len(several.Errors), mostMistakes)] {
			all = append(all, ofType(lines, message))
		}
		if n := len(all); n < len(several.Errors) {
			last := all[n-1]
			all = append(all, &Error{Line: last.Line, Column: last.Column, Message: fmt.Sprintf("the file has %d mistakes up to here: correct them, and check again", n)})
		}
		return all
	}
	line, message := cutLine(strings.TrimPrefix(err.Error(), "yaml: "))
	return []*Error{ofSyntax(lines, line, message)}
}

// Told is the error of Decode in the words of the file: its lines and keys, and no types of Go.
func Told(data []byte, err error) error {
	if err == nil {
		return nil
	}
	var all Errors
	for _, m := range Mistakes(data, err) {
		all = append(all, m)
	}
	return all
}

// cutLine takes the line out of a message of package yaml, which leaves out the first.
func cutLine(message string) (line int, rest string) {
	if text, found := strings.CutPrefix(message, "line "); found {
		number, rest, _ := strings.Cut(text, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			return line, rest
		}
	}
	return 1, message
}

var (
	unknownField = pattern.Later(`^field (\S+) not found in type `)
	wrongKind    = pattern.Later("(?s)^cannot unmarshal (!!\\w+)(?: `(.*)`)? into (.*)$")
	twice        = pattern.Later(`^mapping key "(.*)" already defined at line (\d+)$`)
)

// ofType says that a value is not of its type.
func ofType(lines []string, message string) *Error {
	line, message := cutLine(message)
	e := &Error{Line: line, Column: firstColumn(lines, line)}
	if m := unknownField().FindStringSubmatch(message); m != nil {
		e.Key, e.Message = m[1], fmt.Sprintf("unknown key %q", m[1])
		e.Column = columnOf(lines, line, m[1])
		return e
	}
	if m := twice().FindStringSubmatch(message); m != nil {
		e.Message = fmt.Sprintf("the key %q is written twice, first in line %s", m[1], m[2])
		e.Column = columnOf(lines, line, m[1])
		return e
	}
	if m := wrongKind().FindStringSubmatch(message); m != nil {
		kind := kindOf(m[3])
		e.Message = "expected " + kind
		switch {
		case m[2] != "":
			e.Column = columnOf(lines, line, strings.TrimSuffix(m[2], "..."))
			e.Message += fmt.Sprintf(", not %q", m[2])
			if kind == "a list" && !strings.HasSuffix(m[2], "...") {
				e.Message += fmt.Sprintf(": write [%s]", m[2])
			}
		case m[1] == "!!seq" && kind == "a text":
			e.Message += ", not a list: write one text, without [ ] and -"
		case m[1] == "!!seq":
			e.Message += ", not a list"
		case m[1] == "!!map":
			e.Message += ", not a mapping of keys to values: put a text with a colon or braces in quotation marks"
		}
		return e
	}
	e.Message = message
	return e
}

// kindOf is what a Go type is in a file.
func kindOf(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "map["):
		return "a mapping of keys to values"
	case goType == "bool":
		return "true or false"
	case goType == "int":
		return "a number"
	case strings.Contains(goType, "."):
		return "a mapping of keys to values, or a text"
	}
	return "a text"
}

// ofSyntax says why a file is not YAML.
func ofSyntax(lines []string, line int, message string) *Error {
	last := line
	if strings.Contains(message, "tab character") {
		last = len(lines) // the message names the line of what is begun above the tab
	}
	for at := line; at <= last; at++ {
		if column := tabIn(lineAt(lines, at)); column > 0 {
			return &Error{Line: at, Column: column, Message: "lines are indented with spaces, and this one has a tab"}
		}
	}
	e := &Error{Line: line, Column: firstColumn(lines, line), Message: message}
	text := lineAt(lines, line)
	value := valueColumn(text)
	at := func(sign string) {
		if i := strings.Index(text[value:], sign); i >= 0 {
			e.Column = value + i + 1
		}
	}
	switch {
	case strings.HasPrefix(message, "mapping values are not allowed"):
		if value == 0 || !strings.Contains(text[value:], ":") {
			e.Message = "the line is indented further than the one above, which has a value already"
			break
		}
		at(":")
		e.Message = "a value with a colon and a space in it is put in quotation marks"
		if strings.Contains(text[value:], " ? ") {
			e.Message += `, as in assert: 'condition ? a : b'`
		}
	case strings.HasPrefix(message, "found character that cannot start any token"):
		e.Column = value + 1
		e.Message = fmt.Sprintf("a value that begins with %.1s is put in quotation marks", text[value:])
	case strings.HasPrefix(message, "unknown anchor"):
		at("*")
		e.Message = "a value that begins with * is put in quotation marks"
	case strings.Contains(message, "',' or ']'"):
		at("[")
		e.Message = "a [ is not closed, or a comma is missing in the list"
	case strings.Contains(message, "',' or '}'"):
		at("{")
		e.Message = "a { is not closed, or a comma is missing after it; a text that begins with { is put in quotation marks"
	case strings.Contains(message, "unexpected end of stream"), strings.Contains(message, "document indicator"):
		e.Message = "a quotation mark is not closed, here or above"
	case strings.Contains(message, "'-' indicator"), strings.HasPrefix(message, "block sequence entries"):
		e.Message = "the lines of the list that begins here, or below, are not indented alike"
	case strings.Contains(message, "expected ':'"):
		e.Message = "a key has a colon and a space after it"
	case strings.Contains(message, "did not find expected key"):
		e.Message = "the lines of the mapping that begins here, or below, are not indented alike"
		if value > 0 && strings.ContainsAny(text[value:value+1], "\"'{[") {
			e.Column = value + 1
			e.Message = "the value goes on after its closing sign: put all of it in quotation marks, of the kind that it does not have inside"
		}
	case strings.Contains(message, "unknown escape"), strings.Contains(message, "hexdecimal number"):
		at(`\`)
		e.Message = `between double quotation marks a \ is written \\; between single ones it is left as it is`
	case strings.Contains(message, "node content"):
		e.Message = "a value is missing, or begins with a sign of YAML: put it in quotation marks"
	case strings.Contains(message, "UTF-"), strings.Contains(message, "control characters"):
		e.Message = "the file has bytes that are not text in UTF-8"
	case ofLibrary().MatchString(message):
		e.Message = "a value has signs that mean something in YAML: put it in quotation marks"
		e.ofSign(lines)
	}
	return e
}

// ofLibrary matches how messages of the YAML library begin or end; others are in our words.
var ofLibrary = pattern.Later(`^(?:did not find |could not find |found (?:an? |character |undefined |duplicate |incompatible |unexpected |unknown |invalid |extremely ))|not allowed in this context$|^exceeded max depth`)

// yamlSigns are the signs that mean something in YAML where a value begins with them.
const yamlSigns = "!&*|>?,%@`"

// ofSign says which sign of YAML the value begins with, in the line of the error or the one below, as that of an
// unknown tag is in the line above it.
func (e *Error) ofSign(lines []string) {
	for at := e.Line; at <= e.Line+1; at++ {
		text := lineAt(lines, at)
		if value := valueColumn(text); value > 0 && strings.ContainsAny(text[value:value+1], yamlSigns) {
			e.Line, e.Column = at, value+1
			e.Message = fmt.Sprintf("a value that begins with %.1s is put in quotation marks", text[value:])
			return
		}
	}
}

func lineAt(lines []string, line int) string {
	if line < 1 || line > len(lines) {
		return ""
	}
	return lines[line-1]
}

// tabIn is the column of the first tab in the indentation of a line; 0 for none.
func tabIn(text string) int {
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	return strings.IndexByte(indent, '\t') + 1
}

// firstColumn is where the text of a line begins.
func firstColumn(lines []string, line int) int {
	text := lineAt(lines, line)
	if strings.HasPrefix(text, "---") {
		return 1
	}
	return len(text) - len(strings.TrimLeft(text, " -\t")) + 1
}

// columnOf is where a word is in a line; where the line's text begins if it is not in it.
func columnOf(lines []string, line int, word string) int {
	if i := strings.Index(lineAt(lines, line), word); i >= 0 {
		return i + 1
	}
	return firstColumn(lines, line)
}

// valueColumn is where the value begins after the first key of a line, from 0; 0 where
// there is none.
func valueColumn(text string) int {
	i := strings.Index(text, ": ")
	if i < 0 {
		return 0
	}
	i += len(": ")
	for i < len(text)-1 && text[i] == ' ' {
		i++
	}
	return min(i, len(text)-1)
}
