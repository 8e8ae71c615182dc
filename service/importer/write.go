package importer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"einvoice/model/quote"
)

// A Header is what a file of rules says of itself.
type Header struct {
	Ruleset, Version, Layer, Extends string
	Without                          []string // rules of Extends that are gone
	// Words are the message and text of a rule that somebody has written already; nil for none.
	Words func(id string) (message, text string)
	tried bool // nobody is to read the rules
}

// Write writes a file of rules. What the author is to write is empty, and no check of rules
// accepts that: messages, texts and examples, and why the syntaxes of a rule differ. Rules of
// several artefacts with one id are one rule, with a variant for each syntax.
func Write(w io.Writer, h Header, all []*Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "ruleset: %s\nversion: %s\nlayer: %s\n", h.Ruleset, scalar(h.Version), h.Layer)
	if h.Extends != "" {
		fmt.Fprintf(&b, "extends: %s\n", h.Extends)
	}
	if len(h.Without) > 0 {
		fmt.Fprintf(&b, "without: [%s]\n", strings.Join(h.Without, ", "))
	}
	if len(all) == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteString("rules:\n")
	byID := map[string][]*Rule{}
	var ids []string
	for _, r := range all {
		if byID[r.ID] == nil {
			ids = append(ids, r.ID)
		}
		byID[r.ID] = append(byID[r.ID], r)
	}
	for _, id := range ids {
		rules := byID[id]
		fmt.Fprintf(&b, "  - id: %s\n    level: %s\n", scalar(id), rules[0].Level)
		if len(rules) == 1 {
			fmt.Fprintf(&b, "    on: %s\n", rules[0].Syntax)
			fmt.Fprintf(&b, "    context: %s\n    assert: %s\n", scalar(rules[0].Context), scalar(rules[0].Assert))
		}
		var codes []string
		for _, r := range rules {
			for _, c := range termsOf(r) {
				if !slices.Contains(codes, c) {
					codes = append(codes, c)
				}
			}
		}
		message, text := "", ""
		if h.Words != nil {
			message, text = h.Words(id)
		}
		fmt.Fprintf(&b, "    btCodes: [%s]\n    message: %s\n    text: %s\n", strings.Join(codes, ", "), words(message), words(text))
		if len(rules) > 1 {
			b.WriteString("    variants:\n")
			for _, r := range rules {
				fmt.Fprintf(&b, "      %s:\n        context: %s\n        assert: %s\n", r.Syntax, scalar(r.Context), scalar(r.Assert))
				if r.Level != rules[0].Level {
					fmt.Fprintf(&b, "        level: %s\n", r.Level)
				}
				reason := ""
				if h.tried {
					reason = "?"
				}
				fmt.Fprintf(&b, "        reason: %s\n", words(reason))
			}
		}
		if !h.tried {
			b.WriteString("    examples: []\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteList writes a code list.
func WriteList(w io.Writer, l CodeList, source, version string) error {
	_, err := fmt.Fprintf(w, "list: %s\ntitle: \"\"\nversion: %s\nsource: %s\ncodes: >-\n%s", l.Name, scalar(version), scalar(source), folded(l.Codes))
	return err
}

// folded are codes in lines of a convenient length.
func folded(codes []string) string {
	var b strings.Builder
	line := "  "
	for _, c := range codes {
		if len(line)+len(c) > 110 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "  "
		}
		line += c + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// words are a text that people read, which is in quotation marks where it is still to be written.
func words(s string) string {
	if s == "" {
		return `""`
	}
	return scalar(s)
}

// scalar is a text in YAML.
func scalar(s string) string {
	if s != "" && !strings.ContainsAny(s, "'\"\\{}[]#&*!|>%@`:,\n") && s != "true" && s != "false" && !strings.ContainsAny(s[:1], "-?0123456789. ") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// Report lists what was not translated, and what can never fire.
func Report(w io.Writer, t *Translation) {
	for _, r := range t.NeverFire {
		fmt.Fprintf(w, "%s:%d: %s never fires: %s\n", r.File, r.Line, r.ID, r.Reason)
	}
	for _, r := range t.Refused {
		fmt.Fprintf(w, "%s:%d: %s is not translated: %s: %s\n", r.File, r.Line, named(r.ID), r.Reason, quote.Shorten(strings.Join(strings.Fields(r.Test), " "), 300))
	}
}

func named(id string) string {
	if id == "" {
		return "an assert without an id"
	}
	return id
}
