package conformance

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A mutatedElement is the element that an instruction applies to.
type mutatedElement struct {
	start, end              int
	startTag, content, name string // <a x="y">, its content, a
}

// elementAfter is the element that follows the instruction at an index of the markup.
func elementAfter(text []byte, all []markup, instruction int) (mutatedElement, error) {
	for _, p := range all[instruction+1:] {
		switch {
		case p.close:
			return mutatedElement{}, errors.New("no element follows the instruction")
		case p.open:
			end := all[p.match]
			e := mutatedElement{start: p.start, end: end.end, startTag: string(text[p.start:p.end]), content: string(text[p.end:end.start])}
			e.name, _, _ = strings.Cut(strings.TrimRight(strings.Fields(e.startTag[1:])[0], "/>"), ">")
			if bare, ok := strings.CutSuffix(e.startTag, "/>"); ok {
				e.startTag = strings.TrimRight(bare, " \t\r\n") + ">"
			}
			return e, nil
		}
	}
	return mutatedElement{}, errors.New("no element follows the instruction")
}

// with is the element with other content.
func (e mutatedElement) with(content string) string {
	return e.startTag + content + "</" + e.name + ">"
}

// withAttribute is the element with an attribute changed; nil removes it.
func (e mutatedElement) withAttribute(name string, value *string) (string, error) {
	attribute := regexp.MustCompile(`\s` + regexp.QuoteMeta(name) + `\s*=\s*("[^"]*"|'[^']*')`)
	at := attribute.FindStringIndex(e.startTag)
	if at == nil {
		return "", fmt.Errorf("<%s> has no attribute %s", e.name, name)
	}
	written := ""
	if value != nil {
		written = e.startTag[at[0]:at[0]+1] + name + `="` + escape.Replace(*value) + `"`
	}
	e.startTag = e.startTag[:at[0]] + written + e.startTag[at[1]:]
	return e.with(e.content), nil
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// mutate returns the changed elements that the instruction describes.
func (in instruction) mutate(e mutatedElement) ([]string, error) {
	attribute, onAttribute := in.items["attribute"]
	change := func(value string) (string, error) {
		if onAttribute {
			return e.withAttribute(attribute, &value)
		}
		return e.with(escape.Replace(value)), nil
	}
	var values []string
	switch in.mutator {
	case "remove":
		if !onAttribute {
			return []string{""}, nil
		}
		changed, err := e.withAttribute(attribute, nil)
		return []string{changed}, err
	case "empty":
		values = []string{""}
	case "code":
		list, ok := in.items["values"]
		if !ok {
			return nil, errors.New("values are missing")
		}
		separator := in.items["separator"]
		if separator == "" {
			separator = ","
		}
		for _, value := range strings.Split(list, separator) {
			values = append(values, strings.TrimSpace(value))
		}
	case "whitespace":
		space, err := in.whiteSpace()
		if err != nil {
			return nil, err
		}
		return in.addWhiteSpace(e, space)
	default:
		return nil, fmt.Errorf("this mutator is not known; known are identity, remove, empty, code and whitespace")
	}
	changed := make([]string, 0, len(values))
	for _, value := range values {
		element, err := change(value)
		if err != nil {
			return nil, err
		}
		changed = append(changed, element)
	}
	return changed, nil
}

// whiteSpace is the white space to add: a number of characters, by default five, from a
// list. The original program chooses them at random. Here they alternate, so that every
// run has the same documents.
func (in instruction) whiteSpace() (string, error) {
	const most = 1000
	length := 5
	if text, ok := in.items["length"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return "", fmt.Errorf("length %q is not a number from 1 to %d", text, most)
		}
		length = n
	}
	characters := []string{"\n", "\t", " "}
	if list, ok := in.items["list"]; ok {
		named := map[string]string{"newline": "\n", "tab": "\t", "space": " "}
		characters = nil
		for _, name := range strings.Split(list, ",") {
			c, ok := named[strings.ToLower(strings.TrimSpace(name))]
			if !ok {
				return "", fmt.Errorf("list names %q; use newline, tab and space", name)
			}
			characters = append(characters, c)
		}
	}
	space := ""
	for i := range length {
		space += characters[i%len(characters)]
	}
	return space, nil
}

// addWhiteSpace adds white space at the positions that the instruction names, by default
// before and after the content.
func (in instruction) addWhiteSpace(e mutatedElement, space string) (changed []string, err error) {
	list, ok := in.items["position"]
	if !ok {
		list = "prefix,suffix"
	}
	for _, position := range strings.Split(list, ",") {
		switch strings.ToLower(strings.TrimSpace(position)) {
		case "prefix":
			changed = append(changed, e.with(space+e.content))
		case "suffix":
			changed = append(changed, e.with(e.content+space))
		case "mix":
			changed = append(changed, e.with(space+e.content+space))
		case "replace":
			changed = append(changed, e.with(space))
		default:
			return nil, fmt.Errorf("position %q is none of prefix, suffix, mix and replace", position)
		}
	}
	return changed, nil
}
