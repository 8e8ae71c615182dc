package guest_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/service/create"
	"einvoice/service/guest"
)

// half are words of English that a sentence of neither language has.
var half = regexp.MustCompile(` (or|the|is|has|of|there) `)

// Whatever is wrong with a call, its problem is in the language that the call asks for, and in
// no other: no sentence of it is one of the English problem. Each member of right requests is
// given wrong values, and each is left out.
func TestProblemsInOneLanguage(t *testing.T) {
	t.Parallel()
	g, err := guest.Open()
	if err != nil {
		t.Fatal(err)
	}
	ubl, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	right := []map[string]any{
		{"operation": "validate", "document": ubl, "format": "ubl", "overlays": []string{"germany"}, "at": "2026-11-20", "milliseconds": 50000},
		{"operation": "convert", "document": ubl, "to": "cii", "strict": false, "milliseconds": 50000},
		{"operation": "create", "request": json.RawMessage(create.Example), "to": "ubl", "strict": false, "milliseconds": 50000},
	}
	values := []any{
		nil, "", "x", "UBL", "cii", "zugferd", "2026-13-01", -1, 1 << 40, 1.5, true, []string{}, []string{"x"}, map[string]any{}, map[string]any{"x": 1},
		[]byte("<a/>"), []byte("<a"), []byte("%PDF-1.7"), []byte("\x00\x01"), []byte(strings.Replace(string(ubl), "<cbc:ID>", "<cbc:ID x='&y;'>", 1)),
		json.RawMessage(`{"invoice": {"number": 1, "issueDate": "x", "lines": {}, "nope": 1}}`), json.RawMessage(`{"invoice": {}, "options": {"profile": "x", "syntax": "y", "language": "zz", "date": "x"}}`),
		json.RawMessage(`{"invoice": {}, "options": {"date": "2026-02-30"}}`), json.RawMessage(`{"invoice": {}}`),
	}
	var calls []map[string]any
	for _, r := range right {
		for _, member := range slices.Sorted(maps.Keys(r)) {
			for _, v := range values {
				wrong := maps.Clone(r)
				wrong[member] = v
				calls = append(calls, wrong)
			}
			without := maps.Clone(r)
			delete(without, member)
			calls = append(calls, without)
		}
		more := maps.Clone(r)
		more["further"] = 1
		calls = append(calls, more)
	}
	told := map[string]bool{}
	for _, call := range calls {
		english := sentences(problemIn(t, g, call, ""))
		for _, language := range []string{"de", "fr"} {
			other := problemIn(t, g, call, language)
			for sentence := range sentences(other) {
				if (english[sentence] || half.MatchString(sentence)) && !told[language+sentence] {
					told[language+sentence] = true
					t.Errorf("%s: %s", language, sentence)
				}
			}
		}
	}
}

// problemIn are the texts of the problem of a call in a language.
func problemIn(t *testing.T, g *guest.Guest, call map[string]any, language string) map[string]bool {
	t.Helper()
	spoken := maps.Clone(call)
	spoken["language"] = language
	request, err := json.Marshal(spoken)
	if err != nil {
		t.Fatal(err)
	}
	var reply struct{ Problem guest.Problem }
	if err := json.Unmarshal(g.Call(request), &reply); err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{reply.Problem.Detail: true}
	for _, list := range reply.Problem.Errors {
		for _, text := range list {
			texts[text] = true
		}
	}
	for _, m := range reply.Problem.Mistakes {
		texts[m.Message] = true
	}
	for _, f := range reply.Problem.Findings {
		texts[f.Message] = true
	}
	return texts
}

// sentences are those of texts, with enough words to be of a language.
func sentences(texts map[string]bool) map[string]bool {
	out := map[string]bool{}
	for text := range texts {
		for sentence := range strings.SplitSeq(text, ". ") {
			if strings.Count(sentence, " ") >= 2 {
				out[strings.TrimSuffix(sentence, ".")] = true
			}
		}
	}
	return out
}
