package growth

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// scripts are texts that are shaped in ways of their own.
var scripts = map[string]string{
	"Hebrew and Latin": "\u05D0 a", "Arabic": "\u0644\u0627 ", "isolates": "\u2067a", "Thai": "\u0E01\u0E33", "combining marks": "e\u0301\u0323", "text without spaces": "x",
}

// structures are texts in which the program looks for something.
var structures = map[string]string{
	"cash discounts": "#SKONTO#TAGE=14#PROZENT=2.00#\n", "late payments and words": "#VERZUG#TAGE=9#PROZENT=1.00#BASISBETRAG=7.00# ab\n",
	"beginnings of discounts": "#SKONTO#", "subject codes": "#ADU#", "lines": "7\n", "blank lines": " \n", "an address of mail": "a.b-c", "an address of the web": "a/b?", "numbers": "1.234,5 ",
	"brackets": "(", "braces": "{[", "marks of Markdown": "*_`", "soft hyphens": "a\u00AD", "no-break spaces": "a\u00A0", "joined letters": "a\u200D", "characters that no font has": "\uE000",
}

// proseEndings are how paths of elements end whose text is for people.
var proseEndings = []string{"Note", "IncludedNote/Content", "Description", "LineItem/Name", "Item/Name", "TradeProduct/Name"}

// textEnd is the end of the first text of an element.
var textEnd = regexp.MustCompile(`^([^<]*(?:<[^>]*>\s*)+[^<\s][^<]*)(<(?s:.*))$`)

// xmlRecipes repeat, lengthen and nest each element of a document.
func xmlRecipes(t testing.TB, file string, data []byte) (all []recipe) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	splice := func(from, to int, with string) []byte {
		return []byte(string(data[:from]) + with + string(data[to:]))
	}
	for _, s := range spans(t, data) {
		element := string(data[s.start:s.end])
		add := func(kind string, make func(n int) []byte) {
			all = append(all, recipe{name: name + ": " + kind + " " + s.path, kind: "XML: " + kind, file: name + ".xml", make: make})
		}
		add("elements", func(n int) []byte { return splice(s.end, s.end, strings.Repeat(element, n)) })
		add("distinct elements", func(n int) []byte {
			var b strings.Builder
			for i := range n {
				b.WriteString(textEnd.ReplaceAllString(element, fmt.Sprintf("${1}%d$2", i)))
			}
			return splice(s.end, s.end, b.String())
		})
		if !s.leaf {
			open, _, ok := strings.Cut(element, ">")
			if tag := strings.Fields(open[1:])[0]; ok {
				add("nested", func(n int) []byte {
					return splice(s.start, s.end, strings.Repeat(open+">", n)+element+strings.Repeat("</"+tag+">", n))
				})
			}
			continue
		}
		add("words in", func(n int) []byte { return splice(s.text[1], s.text[1], strings.Repeat(" 7word", n)) })
		if _, err := strconv.ParseFloat(string(data[s.text[0]:s.text[1]]), 64); err == nil {
			add("digits in", func(n int) []byte { return splice(s.text[1], s.text[1], strings.Repeat("7", n)) })
		}
		if slices.ContainsFunc(proseEndings, func(ending string) bool { return strings.HasSuffix(s.path, ending) }) {
			for script, run := range scripts {
				add(script+" in", func(n int) []byte { return splice(s.text[1], s.text[1], "\u202E"+strings.Repeat(run, n)) })
			}
			for structure, text := range structures {
				add(structure+" in", func(n int) []byte { return splice(s.text[1], s.text[1], strings.Repeat(text, n)) })
			}
		}
	}
	root := bytes.IndexByte(data[bytes.Index(data, []byte("xmlns")):], '>') + bytes.Index(data, []byte("xmlns"))
	repeated := func(what, with string) recipe {
		return recipe{name: name + ": " + what, kind: "XML: " + what, file: name + ".xml", make: func(n int) []byte { return splice(root+1, root+1, strings.Repeat(with, n)) }}
	}
	all = append(all,
		repeated("comments", "<!-- a -->"), repeated("instructions", "<?a b?>"), repeated("CDATA", "<![CDATA[ ]]>"), repeated("references", "&#32;"), repeated("lines", "\n"),
		recipe{name: name + ": attributes", kind: "XML: attributes", file: name + ".xml", make: func(n int) []byte {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ` a%d="b"`, i)
			}
			return splice(root, root, b.String())
		}},
		recipe{name: name + ": namespaces", kind: "XML: namespaces", file: name + ".xml", make: func(n int) []byte {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ` xmlns:n%d="urn:n%d"`, i, i)
			}
			return splice(root, root, b.String())
		}},
		recipe{name: name + ": unknown elements of different names", kind: "XML: unknown elements", file: name + ".xml", make: func(n int) []byte {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "<x%d/>", i)
			}
			return splice(root+1, root+1, b.String())
		}},
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
	add := func(kind, path string, change func(n int) func()) {
		all = append(all, recipe{name: "JSON: " + kind + " " + path, kind: "JSON: " + kind, file: "request.json", make: func(n int) []byte {
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
			add("unknown members in", path, func(n int) func() {
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
			add("entries of", path, func(n int) func() {
				set(slices.Repeat(value[:1], n))
				return func() { set(value) }
			})
			if entry, ok := value[0].(map[string]any); ok {
				add("distinct entries of", path, func(n int) func() {
					entries := make([]any, n)
					for i := range entries {
						entries[i] = numbered(entry, i)
					}
					set(entries)
					return func() { set(value) }
				})
			}
		case string:
			add("words in", path, func(n int) func() {
				set(value + strings.Repeat(" 7word", n))
				return func() { set(value) }
			})
			for script, run := range scripts {
				if strings.HasSuffix(path, "name") || strings.HasSuffix(path, "text") || strings.HasSuffix(path, "note") {
					add(script+" in", path, func(n int) func() {
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

// ruleRecipes repeat what a folder of rules may have.
func ruleRecipes() []recipe {
	const (
		rule = `  - id: OWN-%d
    level: fatal
    context: /invoice
    assert: filled(this.buyerReference)
    btCodes: [BT-10]
    fields: [buyerReference]
    message: State the buyer reference (BT-10).
    text: The buyer reference is there.
    examples:
      - {passes: {buyerReference: PO-1}}
      - {fires: base}
`
		head = "ruleset: own\nversion: 1\nlayer: cius\n"
	)
	many := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format, i)
			}
			return b.String()
		}
	}
	one := fmt.Sprintf(rule, 1)
	file := func(name string, make func(n int) string) recipe {
		return recipe{name: "rules: " + name, file: rulesFile, make: func(n int) []byte { return []byte(head + make(n)) }}
	}
	changed := func(name, old, with string, each func(n int) string) recipe {
		return file(name, func(n int) string { return "rules:\n" + strings.Replace(one, old, with+each(n), 1) })
	}
	beside := func(name, path string, rules, make func(n int) string) recipe {
		return recipe{name: "rules: " + name, file: path, make: func(n int) []byte { return []byte(make(n)) }, beside: func(n int) map[string][]byte {
			return map[string][]byte{rulesFile: []byte(head + "rules:\n" + rules(n))}
		}}
	}
	return []recipe{
		file("rules", func(n int) string { return "rules:\n" + many(rule)(n) }),
		file("rules of one id", func(n int) string { return "rules:\n" + strings.Repeat(one, n) }),
		file("rules with an unknown field", func(n int) string {
			return "rules:\n" + many(strings.Replace(rule, "filled(this.buyerReference)", "filled(this.buyerReferenc)", 1))(n)
		}),
		file("unknown keys of a rule", func(n int) string { return "rules:\n" + one + many("    unknown%d: 1\n")(n) }),
		changed("unknown fields in an example", "PO-1}", "PO-1", func(n int) string { return many(", unknown%d: \"1\"")(n) + "}" }),
		file("parameters", func(n int) string {
			return "parameters:\n" + many("  own%d: {type: decimal, default: 1, text: a}\n")(n) + "rules:\n" + one
		}),
		file("constants", func(n int) string { return "constants:\n" + many("  own%d: a\n")(n) + "rules:\n" + one }),
		changed("terms of a rule", "[BT-10]", "[BT-10", func(n int) string { return strings.Repeat(", BT-1", n) + "]" }),
		changed("operands of an assertion", "assert: filled(this.buyerReference)", "assert: filled(this.buyerReference)", func(n int) string { return strings.Repeat(" || filled(this.buyerReference)", n) }),
		changed("predicates of a context", "context: /invoice", "context: /invoice", func(n int) string { return strings.Repeat("[buyerReference]", n) }),
		changed("words of a message", "State the", "State the", func(n int) string { return strings.Repeat(" very", n) }),
		file("examples", func(n int) string {
			return "rules:\n" + one + many("      - {passes: {buyerReference: \"PO-%d\"}}\n")(n)
		}),
		beside("translations of unknown rules", "languages/de/own/1/rules.yaml", func(int) string { return one }, func(n int) string {
			return "texts:\n" + many("  X-%d: {message: Text., text: Text.}\n")(n)
		}),
		beside("translations of rules", "languages/de/own/1/rules.yaml", many(rule), func(n int) string {
			return "texts:\n" + many("  OWN-%d: {message: Text., text: Text.}\n")(n)
		}),
		beside("phrases", "languages/de/phrases/own.yaml", func(int) string { return one }, func(n int) string { return "phrases:\n" + many("  Own %d: Eigen\n")(n) }),
	}
}

// rulesFile is the file of a ruleset in a folder of rules.
const rulesFile = "own/1/rules.yaml"

// read reads a file of the project.
func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
