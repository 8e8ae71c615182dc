package authoring

import (
	"slices"
	"strings"

	"einvoice/engine/files"
	"einvoice/model/pattern"
)

// A word is what is written around a position of a line.
type word struct {
	Column, End int // from 1, in characters; End is behind it
	text        string
}

// lineOf is a line of a text, from 1.
func lineOf(text string, line int) string {
	for i, l := range strings.Split(text, "\n") {
		if i+1 == line {
			return strings.TrimSuffix(l, "\r")
		}
	}
	return ""
}

// isPart reports whether a character belongs to names, codes and paths.
func isPart(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r == ':' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// wordAt is the word at a column.
func wordAt(line string, column int) word {
	runes := []rune(line)
	start := min(max(column-1, 0), len(runes))
	end := start
	for start > 0 && isPart(runes[start-1]) {
		start--
	}
	for end < len(runes) && isPart(runes[end]) {
		end++
	}
	for end > start && (runes[end-1] == ':' || runes[end-1] == '.') { // of YAML, or of a sentence
		end--
	}
	return word{start + 1, end + 1, string(runes[start:end])}
}

// before is the part of a line before a column.
func before(line string, column int) string {
	runes := []rune(line)
	return string(runes[:min(max(column-1, 0), len(runes))])
}

var (
	keyOfLine  = pattern.Later(`^(\s*(?:- )*)("[^"]*"|[\w:./@*$\{\}-]+):(?:\s|$)`)
	keyInFlow  = pattern.Later(`(?:^|[{,]\s*|\s)([A-Za-z]+):\s*("[^"]*|'[^']*|[^,{}"']*)$`)
	openFlow   = pattern.Later(`[{,]\s*[A-Za-z]*$`)
	startOfKey = pattern.Later(`^\s*(?:- )*[A-Za-z]*$`)
)

// pathAt are the keys of the mappings around a line, outermost first, by indentation.
func pathAt(text string, line, indent int) []string {
	lines := strings.Split(text, "\n")
	var keys []string
	for i := min(line, len(lines)) - 2; i >= 0 && indent > 0; i-- {
		m := keyOfLine().FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		at := len(m[1])
		list := strings.HasSuffix(m[1], "- ")
		switch {
		case at < indent:
			keys = append(keys, strings.Trim(m[2], `"`))
			if indent = at; list { // the item of a list begins here
				indent = len(m[1]) - 2
			}
		case list && at == indent: // the first key of the item that the line belongs to
			indent = at - 2
		}
	}
	slices.Reverse(keys)
	return keys
}

// shapeAt is the shape of the mapping that keys lead to; nil if they lead to no mapping.
func shapeAt(k *files.Kind, keys []string) files.Shape {
	f := files.Described()
	s := f.Shapes[k.Shape]
	inMap := "" // the shape of the values of the map that we are in
	for _, name := range keys {
		if inMap != "" {
			s, inMap = f.Shapes[inMap], ""
			continue
		}
		of, ok := s[name]
		if !ok {
			return nil
		}
		switch {
		case of.Type == "map":
			inMap = of.Of
		case of.Type == "list":
			s = f.Shapes[of.Of]
		default:
			s = f.Shapes[of.Type]
		}
	}
	if inMap != "" {
		return nil // names of one's own
	}
	return s
}

// indentOf is where the first key of a line begins, from 0.
func indentOf(line string) int {
	trimmed := strings.TrimLeft(line, " ")
	indent := len(line) - len(trimmed)
	for strings.HasPrefix(trimmed, "- ") {
		trimmed = trimmed[2:]
		indent += 2
	}
	return indent
}

// flowShape is the shape of a mapping in braces on a line.
func flowShape(k *files.Kind, text string, line int, before string) files.Shape {
	keys := pathAt(text, line, indentOf(lineOf(text, line)))
	outside, _, _ := strings.Cut(before, "{")
	if m := keyOfLine().FindStringSubmatch(outside); m != nil {
		keys = append(keys, strings.Trim(m[2], `"`))
	}
	return shapeAt(k, keys)
}

// keyAt is the key whose value is at a place, with its name; nil where none is known.
func keyAt(k *files.Kind, text string, line, column int) (name string, of *files.Key) {
	content := lineOf(text, line)
	start := before(content, column)
	s := shapeAt(k, pathAt(text, line, indentOf(content)))
	if m := keyInFlow().FindStringSubmatch(start); m != nil {
		name = m[1]
		if strings.Contains(start[:len(start)-len(m[0])+1], "{") {
			s = flowShape(k, text, line, start)
		}
	}
	if m := keyOfLine().FindStringSubmatch(content); m != nil && name == "" {
		name = strings.Trim(m[2], `"`)
	}
	if name == "" { // a line of a text that began above
		if keys := pathAt(text, line, indentOf(content)); len(keys) > 0 {
			name = keys[len(keys)-1]
			s = shapeAt(k, keys[:len(keys)-1])
		}
	}
	if of = s[name]; of == nil {
		return name, nil
	}
	return name, of
}
