package growth

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A span is where an element is in a document: from its start tag to the end of its end tag,
// and its text where there is nothing but text inside.
type span struct {
	path       string
	start, end int
	text       [2]int
	leaf       bool
}

// spans are the first element of each path in a document.
func spans(t testing.TB, data []byte) []span {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(data))
	var open []*span
	var all []span
	seen := map[string]bool{}
	for {
		before := int(decoder.InputOffset())
		token, err := decoder.Token()
		if err != nil {
			break
		}
		after := int(decoder.InputOffset())
		switch token := token.(type) {
		case xml.StartElement:
			path := token.Name.Local
			if len(open) > 0 {
				path = open[len(open)-1].path + "/" + path
				open[len(open)-1].leaf = false
			}
			open = append(open, &span{path: path, start: before, leaf: true, text: [2]int{after, after}})
		case xml.EndElement:
			s := open[len(open)-1]
			open = open[:len(open)-1]
			s.end, s.text[1] = after, before
			if len(open) > 0 && !seen[s.path] { // the root is there once
				seen[s.path] = true
				all = append(all, *s)
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d elements were found", len(all))
	}
	return all
}

// xmlRecipes repeat, lengthen and nest each element of a document.
func xmlRecipes(t testing.TB, file string, data []byte) (all []recipe) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	splice := func(from, to int, with string) []byte {
		return []byte(string(data[:from]) + with + string(data[to:]))
	}
	for _, s := range spans(t, data) {
		element := string(data[s.start:s.end])
		all = append(all, recipe{name + ": elements " + s.path, name + ".xml", func(n int) []byte {
			return splice(s.end, s.end, strings.Repeat(element, n))
		}})
		if s.leaf {
			all = append(all, recipe{name + ": words in " + s.path, name + ".xml", func(n int) []byte {
				return splice(s.text[1], s.text[1], strings.Repeat(" 7word", n))
			}})
		} else if open, _, ok := strings.Cut(element, ">"); ok && !strings.HasSuffix(open, "/") {
			tag := strings.Fields(open[1:])[0]
			all = append(all, recipe{name + ": nested " + s.path, name + ".xml", func(n int) []byte {
				return splice(s.start, s.end, strings.Repeat(open+">", n)+element+strings.Repeat("</"+tag+">", n))
			}})
		}
	}
	root := bytes.IndexByte(data[bytes.Index(data, []byte("xmlns")):], '>') + bytes.Index(data, []byte("xmlns"))
	all = append(all,
		recipe{name + ": namespaces", name + ".xml", func(n int) []byte {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ` xmlns:n%d="urn:n%d"`, i, i)
			}
			return splice(root, root, b.String())
		}},
		recipe{name + ": unknown elements of different names", name + ".xml", func(n int) []byte {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "<x%d/>", i)
			}
			return splice(root+1, root+1, b.String())
		}},
		recipe{name + ": comments", name + ".xml", func(n int) []byte { return splice(root+1, root+1, strings.Repeat("<!-- a -->", n)) }},
	)
	return all
}

// jsonRecipes repeat the entries of each list and lengthen each text of a request.
func jsonRecipes(t testing.TB, data []byte) (all []recipe) {
	t.Helper()
	var request any
	if err := json.Unmarshal(data, &request); err != nil {
		t.Fatal(err)
	}
	add := func(path string, change func(n int) func()) {
		all = append(all, recipe{"JSON: " + path, "request.json", func(n int) []byte {
			defer change(n)()
			out, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}})
	}
	var visit func(path string, value any, set func(any))
	visit = func(path string, value any, set func(any)) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				visit(path+"."+name, value[name], func(v any) { value[name] = v })
			}
			add("unknown members in "+path, func(n int) func() {
				for i := range n {
					value[fmt.Sprintf("unknown%d", i)] = i
				}
				return func() {
					for i := range n {
						delete(value, fmt.Sprintf("unknown%d", i))
					}
				}
			})
		case []any:
			if len(value) == 0 {
				return
			}
			visit(path+"[0]", value[0], func(v any) { value[0] = v })
			add("entries of "+path, func(n int) func() {
				set(slices.Repeat(value[:1], n))
				return func() { set(value) }
			})
			if entry, ok := value[0].(map[string]any); ok {
				add("distinct entries of "+path, func(n int) func() {
					entries := make([]any, n)
					for i := range entries {
						entries[i] = numbered(entry, i)
					}
					set(entries)
					return func() { set(value) }
				})
			}
		case string:
			add("words in "+path, func(n int) func() {
				set(value + strings.Repeat(" 7word", n))
				return func() { set(value) }
			})
			for name, run := range map[string]string{"Hebrew and Latin": "\u05D0 a", "Arabic": "\u0644\u0627 ", "isolates": "\u2067a", "Thai": "\u0E01\u0E33", "combining": "e\u0301\u0323", "no spaces": "x"} {
				if strings.HasSuffix(path, "name") || strings.HasSuffix(path, "text") || strings.HasSuffix(path, "note") {
					add(name+" in "+path, func(n int) func() {
						set("\u202E" + strings.Repeat(run, n))
						return func() { set(value) }
					})
				}
			}
		}
	}
	visit("", request, func(v any) { request = v })
	return all
}

// numbered is a group whose numbers and texts differ from those of others.
func numbered(group map[string]any, i int) map[string]any {
	out := map[string]any{}
	for name, value := range group {
		switch value := value.(type) {
		case string:
			out[name] = fmt.Sprintf("%s%d", value, i)
		case float64:
			out[name] = value + float64(i)/100
		case map[string]any:
			out[name] = numbered(value, i)
		default:
			out[name] = value
		}
	}
	return out
}

// ruleRecipes repeat what a file of rules may have.
func ruleRecipes() []recipe {
	const rule = `  - id: OWN-%d
    level: fatal
    context: /invoice
    assert: filled(this.buyerReference)
    btCodes: [BT-10]
    fields: [buyerReference]
    message: State the buyer reference (BT-10).
    text: The buyer reference is there.
    examples:
      - {name: there, valid: true, set: {buyerReference: "1"}}
      - {name: not there, valid: false, remove: [buyerReference]}
`
	const head = "ruleset: own\nversion: \"1.0\"\ntitle: Own rules\n"
	many := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format, i)
			}
			return b.String()
		}
	}
	file := func(name string, make func(n int) string) recipe {
		return recipe{"rules: " + name, "own.yaml", func(n int) []byte { return []byte(make(n)) }}
	}
	one := fmt.Sprintf(rule, 1)
	return []recipe{
		file("rules", func(n int) string { return head + "rules:\n" + many(rule)(n) }),
		file("rules of one id", func(n int) string { return head + "rules:\n" + strings.Repeat(one, n) }),
		file("unknown keys of a rule", func(n int) string { return head + "rules:\n" + one + many("    unknown%d: 1\n")(n) }),
		file("unknown fields in an example", func(n int) string {
			return head + "rules:\n" + strings.Replace(one, `{buyerReference: "1"}`, "{buyerReference: \"1\""+many(", unknown%d: \"1\"")(n)+"}", 1)
		}),
		file("parameters", func(n int) string {
			return head + "parameters:\n" + many("  own%d: {type: decimal, default: 1}\n")(n) + "rules:\n" + one
		}),
		file("terms of a rule", func(n int) string {
			return head + "rules:\n" + strings.Replace(one, "[BT-10]", "[BT-10"+strings.Repeat(", BT-1", n)+"]", 1)
		}),
		file("operands of an assertion", func(n int) string {
			return head + "rules:\n" + strings.Replace(one, "assert: filled(this.buyerReference)", "assert: filled(this.buyerReference)"+strings.Repeat(" || filled(this.buyerReference)", n), 1)
		}),
		file("predicates of a context", func(n int) string {
			return head + "rules:\n" + strings.Replace(one, "context: /invoice", "context: /invoice"+strings.Repeat("[buyerReference]", n), 1)
		}),
		file("words of a message", func(n int) string {
			return head + "rules:\n" + strings.Replace(one, "State the", "State the "+strings.Repeat("very ", n), 1)
		}),
		file("examples", func(n int) string {
			return head + "rules:\n" + one + many("      - {name: number %d, valid: true, set: {buyerReference: \"1\"}}\n")(n)
		}),
	}
}

// read reads a file of the project.
func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
