package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
)

const notices = `findings:
  - id: ONE-{n}
    layer: profile
    level: warning
    btCodes: [BT-1]
    text: The text of {n}.
    message: "{value} of {n}."
  - id: TWO
    layer: schema
    level: fatal
    text: A text.
    cases:
      a: {message: A.}
      b: {message: B., level: information}
`

func noticesOf(t *testing.T, text string) (engine.Notices, error) {
	t.Helper()
	l, err := engine.Open(fstest.MapFS{"findings/f.yaml": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return l.Notices()
}

func TestNotices(t *testing.T) {
	all, err := noticesOf(t, notices)
	if err != nil {
		t.Fatal(err)
	}
	// A value is never taken for a name.
	f, err := all.Finding("ONE-{n}", "", map[string]string{"n": "7", "value": "{n}"})
	if err != nil || f.Rule != "ONE-7" || f.Message != "{n} of 7." || f.Raw != "[ONE-7](profile) The text of 7." || f.Level != engine.Warning || f.BTCodes[0] != "BT-1" {
		t.Errorf("%+v, %v", f, err)
	}
	for which, level := range map[string]engine.Level{"a": engine.Fatal, "b": engine.Information} {
		if f, err := all.Finding("TWO", which, nil); err != nil || f.Level != level || f.Message != strings.ToUpper(which)+"." || f.BTCodes == nil {
			t.Errorf("%s: %+v, %v", which, f, err)
		}
	}
	for _, wrong := range [][2]string{{"THREE", ""}, {"TWO", "c"}, {"ONE-{n}", ""}} {
		if f, err := all.Finding(wrong[0], wrong[1], map[string]string{"n": "7"}); err == nil {
			t.Errorf("%q makes %+v", wrong, f)
		}
	}
}

func TestNoticesMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"findings:\n  - {id: A, layer: x, level: fatal, text: t, message: m}":                                `unknown layer "x"`,
		"findings:\n  - {id: A, layer: schema, level: x, text: t, message: m}":                               `unknown level "x"`,
		"findings:\n  - {id: A, layer: schema, level: fatal, message: m}":                                    "needs id and text",
		"findings:\n  - {id: A, layer: schema, level: fatal, text: t}":                                       "needs either a message or cases",
		"findings:\n  - {id: A, layer: schema, level: fatal, text: t, message: m, cases: {a: {message: m}}}": "needs either a message or cases",
		"findings:\n  - {id: A, layer: schema, level: fatal, text: t, cases: {a: {}}}":                       "case a of finding A needs a message",
		"findings:\n  - {id: A, layer: schema, level: fatal, text: t, massage: m}":                           "massage",
		notices + "  - {id: TWO, layer: schema, level: fatal, text: t, message: m}\n":                        "TWO is defined twice",
	} {
		if _, err := noticesOf(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q for %s", err, want, text)
		}
	}
}

// The findings that ship load, and have no id of a rule.
func TestShippedNotices(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.Notices()
	if err != nil || len(all) < 15 {
		t.Fatalf("%d, %v", len(all), err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := versions["findings"]; ok {
		t.Error("findings are taken for a family of rules")
	}
	for family := range versions {
		set, err := l.Ruleset(family)
		if err != nil {
			t.Fatal(err)
		}
		for id := range all {
			if _, ok := set.Rule(id); ok {
				t.Errorf("%s is a rule of %s", id, family)
			}
		}
	}
}
