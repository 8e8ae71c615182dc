package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/model/pattern"
)

// readMutations makes the documents that the xmute instructions of an instance describe:
//
//	<?xmute mutator="code" values="A,B" attribute="x" schematron-invalid="xrubl:BR-DE-1" ?>
//
// An instruction applies to the element that follows it. All identity instructions
// together give one document. Each other instruction gives one document for each change
// that it describes.
func readMutations(text []byte) ([]variant, error) {
	all, err := readMarkup(text)
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
		e, err := elementAfter(text, all, i)
		if err != nil {
			return nil, fmt.Errorf("xmute %s: %w", in.mutator, err)
		}
		changed, err := in.mutate(e)
		if err != nil {
			return nil, fmt.Errorf("xmute %s: %w", in.mutator, err)
		}
		for _, element := range changed {
			changes++
			data := bytes.Join([][]byte{text[:e.start], []byte(element), text[e.end:]}, nil)
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

// union adds the rules that are not in the list yet, because several instructions can
// expect the same.
func union(have, more []string) []string {
	for _, rule := range more {
		if !slices.Contains(have, rule) {
			have = append(have, rule)
		}
	}
	return have
}

// withoutInstructions removes all xmute instructions, including those in comments, and
// the lines that become empty.
func withoutInstructions(text []byte) []byte {
	begin, end := []byte("<?xmute"), []byte("?>")
	out := make([]byte, 0, len(text))
	whole := text
	all, _ := readMarkup(whole) // without it, none is inside another
	for {
		start := bytes.Index(text, begin)
		if start < 0 {
			return append(out, text...)
		}
		at := len(whole) - len(text) + start
		if slices.ContainsFunc(all, func(p markup) bool { return p.start < at && at < p.end }) { // text of another instruction, or of a tag
			out = append(out, text[:start+len(begin)]...)
			text = text[start+len(begin):]
			continue
		}
		length := bytes.Index(text[start:], end)
		if length < 0 {
			return append(out, text...)
		}
		length += len(end)
		if in := text[start : start+length]; bytes.Contains(in, []byte("-->")) || bytes.Contains(in, []byte("]]>")) {
			// Only the beginning of an instruction in a comment.
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

var item = pattern.Later(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)

func parseInstruction(text string) (in instruction, err error) {
	in.items = map[string]string{}
	for _, m := range item().FindAllStringSubmatch(text, -1) {
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

// ruleNames reads "xrubl:BR-DE-1 xrubl:BR-DE-2", separated by commas or spaces.
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
