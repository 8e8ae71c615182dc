package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readMutations carries out the xmute instructions of an instance:
//
//	<?xmute mutator="code" values="A,B" attribute="x" schematron-invalid="xrubl:BR-DE-1" ?>
//
// An instruction is about the element that follows it. All identity instructions
// together give one document, the others one for each change they ask for.
func readMutations(text []byte) ([]variant, error) {
	all, err := pieces(text)
	if err != nil {
		return nil, err
	}
	var out []variant
	identity := -1
	changes := 0
	for i, p := range all {
		if p.name != "xmute" || p.open || p.close {
			continue
		}
		in, err := parseInstruction(p.inst)
		if err != nil {
			return nil, err
		}
		if in.mutator == "identity" {
			if identity < 0 {
				identity = len(out)
				out = append(out, variant{name: in.mutator, data: withoutInstructions(text)})
			}
			out[identity].fires = union(out[identity].fires, in.fires)
			out[identity].passes = union(out[identity].passes, in.passes)
			continue
		}
		t, err := targetOf(text, all, i)
		if err != nil {
			return nil, fmt.Errorf("xmute %s: %w", in.mutator, err)
		}
		changed, err := in.carryOut(t)
		if err != nil {
			return nil, fmt.Errorf("xmute %s: %w", in.mutator, err)
		}
		for _, element := range changed {
			changes++
			data := bytes.Join([][]byte{text[:t.start], []byte(element), text[t.end:]}, nil)
			out = append(out, variant{
				name: fmt.Sprintf("%s-%02d", in.mutator, changes), data: withoutInstructions(data), fires: in.fires, passes: in.passes,
			})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no xmute instruction outside of comments")
	}
	return out, nil
}

// union adds what is not there yet: several instructions may expect the same.
func union(have, more []string) []string {
	for _, rule := range more {
		if !slices.Contains(have, rule) {
			have = append(have, rule)
		}
	}
	return have
}

// withoutInstructions removes all xmute instructions, also those in comments,
// with the lines they leave empty.
func withoutInstructions(text []byte) []byte {
	begin, end := []byte("<?xmute"), []byte("?>")
	out := make([]byte, 0, len(text))
	for {
		start := bytes.Index(text, begin)
		if start < 0 {
			return append(out, text...)
		}
		length := bytes.Index(text[start:], end)
		if length < 0 {
			return append(out, text...)
		}
		length += len(end)
		if in := text[start : start+length]; bytes.Contains(in, []byte("-->")) || bytes.Contains(in, []byte("]]>")) {
			// Not an instruction, but the beginning of one in a comment.
			out = append(out, text[:start+len(begin)]...)
			text = text[start+len(begin):]
			continue
		}
		out = append(out, bytes.TrimRight(text[:start], " \t")...)
		text = text[start+length:]
		if rest, ok := bytes.CutPrefix(text, []byte("\r\n")); ok {
			text = rest
		} else if rest, ok := bytes.CutPrefix(text, []byte("\n")); ok {
			text = rest
		}
	}
}

// An instruction is the content of an xmute processing instruction.
type instruction struct {
	mutator       string
	items         map[string]string
	fires, passes []string
}

var item = regexp.MustCompile(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)

func parseInstruction(text string) (in instruction, err error) {
	// What is in a processing instruction comes into the document as content.
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF || r < ' ' && !strings.ContainsRune("\t\r\n", r)
	}); i >= 0 {
		return in, fmt.Errorf("an xmute instruction holds a character that XML does not allow, at byte %d of it", i+1)
	}
	in.items = map[string]string{}
	for _, m := range item.FindAllStringSubmatch(text, -1) {
		in.items[m[1]] = m[2] + m[3]
	}
	in.mutator = in.items["mutator"]
	if in.mutator == "" {
		return in, errors.New("an xmute instruction names no mutator")
	}
	if in.passes, err = ruleNames(in.items["schematron-valid"]); err != nil {
		return in, err
	}
	in.fires, err = ruleNames(in.items["schematron-invalid"])
	return in, err
}

// ruleNames reads "xrubl:BR-DE-1 xrubl:BR-DE-2", with commas or spaces between.
func ruleNames(text string) (rules []string, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' }) {
		_, rule, ok := strings.Cut(word, ":")
		if !ok || rule == "" {
			return nil, fmt.Errorf("expectation %q is not of the form SCHEMATRON:RULE", word)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// A target is the element that an instruction is about.
type target struct {
	start, end           int
	opening, inside, tag string // <a x="y">, what it holds, a
}

func targetOf(text []byte, all []piece, instruction int) (target, error) {
	for _, p := range all[instruction+1:] {
		switch {
		case p.close:
			return target{}, errors.New("no element follows the instruction")
		case p.open:
			end := all[p.match]
			t := target{start: p.start, end: end.end, opening: string(text[p.start:p.end]), inside: string(text[p.end:end.start])}
			t.tag, _, _ = strings.Cut(strings.TrimRight(strings.Fields(t.opening[1:])[0], "/>"), ">")
			if bare, ok := strings.CutSuffix(t.opening, "/>"); ok {
				t.opening = strings.TrimRight(bare, " \t\r\n") + ">"
			}
			return t, nil
		}
	}
	return target{}, errors.New("no element follows the instruction")
}

// with is the element with other content.
func (t target) with(inside string) string { return t.opening + inside + "</" + t.tag + ">" }

// withAttribute is the element with an attribute changed; nil removes it.
func (t target) withAttribute(name string, value *string) (string, error) {
	attribute := regexp.MustCompile(`\s` + regexp.QuoteMeta(name) + `\s*=\s*("[^"]*"|'[^']*')`)
	at := attribute.FindStringIndex(t.opening)
	if at == nil {
		return "", fmt.Errorf("<%s> has no attribute %s", t.tag, name)
	}
	written := ""
	if value != nil {
		written = t.opening[at[0]:at[0]+1] + name + `="` + escape.Replace(*value) + `"`
	}
	t.opening = t.opening[:at[0]] + written + t.opening[at[1]:]
	return t.with(t.inside), nil
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// carryOut gives the changed elements that the instruction asks for.
func (in instruction) carryOut(t target) ([]string, error) {
	attribute, onAttribute := in.items["attribute"]
	change := func(value string) (string, error) {
		if onAttribute {
			return t.withAttribute(attribute, &value)
		}
		return t.with(escape.Replace(value)), nil
	}
	var values []string
	switch in.mutator {
	case "remove":
		if !onAttribute {
			return []string{""}, nil
		}
		changed, err := t.withAttribute(attribute, nil)
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
		return in.positions(t, space)
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

// whiteSpace is the white space to add: so many characters, five by default, of
// those listed. The original chooses them at random; here they take turns, so
// that every run has the same documents.
func (in instruction) whiteSpace() (string, error) {
	const most = 1000
	length := 5
	if text, ok := in.items["length"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return "", fmt.Errorf("length %q is no number from 1 to %d", text, most)
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

// positions puts white space where the instruction says, before and after the
// content if it says nothing.
func (in instruction) positions(t target, space string) (changed []string, err error) {
	list, ok := in.items["position"]
	if !ok {
		list = "prefix,suffix"
	}
	for _, position := range strings.Split(list, ",") {
		switch strings.ToLower(strings.TrimSpace(position)) {
		case "prefix":
			changed = append(changed, t.with(space+t.inside))
		case "suffix":
			changed = append(changed, t.with(t.inside+space))
		case "mix":
			changed = append(changed, t.with(space+t.inside+space))
		case "replace":
			changed = append(changed, t.with(space))
		default:
			return nil, fmt.Errorf("position %q is none of prefix, suffix, mix and replace", position)
		}
	}
	return changed, nil
}
