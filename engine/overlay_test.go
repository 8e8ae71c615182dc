package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
)

const overlays = `profiles:
  - id: p
    name: P
    standard: s
    rulesets: [r]
    default: true
    overlays:
      - {level: information, rules: [OWN], reason: because}
overlays:
  - level: warning
    rules: [OWN, ONE, MANY-*]
    from: fatal
    where: /invoice[currencyCode='EUR']
    except: [strict]
    reason: because
    source: somebody
`

func profileOf(t *testing.T, text string) (*engine.Library, *engine.Profile, error) {
	t.Helper()
	l, err := engine.Open(fstest.MapFS{"profiles/p.yaml": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Profile("p")
	return l, p, err
}

// Overlays of a file apply in every profile, after its own, where their conditions are met.
func TestOverlay(t *testing.T) {
	l, p, err := profileOf(t, overlays)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule               string
		level              engine.Level
		currency, standard string
		want               engine.Level
	}{
		{"ONE", engine.Fatal, "EUR", "", engine.Warning},
		{"ONE", engine.Fatal, "EUR", "other", engine.Warning},
		{"ONE", engine.Fatal, "EUR", "strict", engine.Fatal},
		{"ONE", engine.Fatal, "SEK", "", engine.Fatal},
		{"ONE", engine.Information, "EUR", "", engine.Information},
		{"ONE-1", engine.Fatal, "EUR", "", engine.Fatal},
		{"MANY-1", engine.Fatal, "EUR", "", engine.Warning},
		{"MANY", engine.Fatal, "EUR", "", engine.Fatal},
		{"OWN", engine.Fatal, "EUR", "", engine.Information},
	} {
		t.Run(fmt.Sprintf("%s %s %s %s", c.rule, c.level, c.currency, c.standard), func(t *testing.T) {
			doc := &model.Document{Invoice: &model.Invoice{CurrencyCode: model.NewText(c.currency)}}
			report := &engine.Report{Findings: []engine.Finding{{Rule: c.rule, Level: c.level}}}
			for range 2 { // a second time changes nothing
				if err := l.Overlay(context.Background(), p, c.standard, doc, report); err != nil {
					t.Fatal(err)
				}
				f := report.Findings[0]
				if f.Level != c.want || (f.PublishedLevel == c.level) != (c.want != c.level) || report.Valid != (c.want != engine.Fatal) {
					t.Errorf("got %s, published as %q, valid %t", f.Level, f.PublishedLevel, report.Valid)
				}
			}
		})
	}
}

func TestOverlayMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"where: /invoice[currencyCode='EUR']": "where: /invoice[",
		"from: fatal":                         "from: deadly",
		"reason: because\n    source":         "source",
	} {
		_, _, err := profileOf(t, strings.Replace(overlays, text, want, 1))
		if err == nil || !strings.Contains(err.Error(), "overlay") && !strings.Contains(err.Error(), "deadly") {
			t.Errorf("%s: got %v", want, err)
		}
	}
}
