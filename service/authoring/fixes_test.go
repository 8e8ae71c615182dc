package authoring_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// TestFixesOfOneWord misspells one word at a time: what is offered is the word, in its place, and
// the file that it gives is the one before the mistake.
func TestFixesOfOneWord(t *testing.T) {
	const good = `ruleset: company
version: 1
layer: cius
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: filled(this.buyerReference) && this.buyerReference.matches("^A$")
    btCodes: [BT-10]
    fields: [buyerReference]
    message: "Write the buyer reference, not {this.buyerReference}, there."
    text: t
  - id: CO-2
    level: fatal
    context: /invoice
    assert: invoice.lines.all(l, filled(l.item.name))
    btCodes: [BT-153]
    fields: [lines]
    message: m
    text: t
`
	offered := 0
	for _, c := range []struct{ word, misspelt string }{
		{"this.buyerReference.matches", "this.buyerRefrence.matches"},
		{"fields: [buyerReference]", "fields: [buyerReferenc]"},
		{"not {this.buyerReference}", "not {this.buyerReferense}"},
		{"l.item.name", "l.item.naem"},
		{"level: fatal", "level: fatel"},
		{"[BT-153]", "[BT-1153]"},
		{"btCodes: [BT-10]", "btcodes: [BT-10]"},
	} {
		mistaken := strings.Replace(good, c.word, c.misspelt, 1)
		w := authoring.Open(fstest.MapFS{"company/1/r.yaml": {Data: []byte(mistaken)}}, rulesets.FS)
		found, err := w.Check()
		if err != nil {
			t.Fatal(err)
		}
		mistakes := found["company/1/r.yaml"]
		if len(mistakes) == 0 {
			t.Errorf("%s: no mistake", c.misspelt)
			continue
		}
		for _, m := range mistakes {
			for i, fix := range w.Proven(m) {
				offered++
				lines := strings.Split(mistaken, "\n")
				runes := []rune(lines[m.Line-1])
				lines[m.Line-1] = string(runes[:m.Column-1]) + fix.Text + string(runes[m.End-1:])
				if mended := strings.Join(lines, "\n"); i == 0 && mended != good {
					t.Errorf("%s becomes %s", c.misspelt, lines[m.Line-1])
				}
			}
		}
	}
	if offered < 6 {
		t.Errorf("%d corrections are offered", offered)
	}
}
