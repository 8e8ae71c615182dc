package cli

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine/words"
	"einvoice/rulesets"
)

// What create says of mistakes in a request is in one language, each in a line of its own: mistakes
// of every kind, alone and below each other.
func TestMistakesOfRequestsAreInOneLanguage(t *testing.T) {
	members := []string{
		`"nmber": "1"`, `"zzz": 1`, `"issueDate": "2026-13-01"`, `"issueDate": 7`, `"seller": []`, `"seller": "x"`, `"notes": {}`, `"notes": [1]`, `"lines": [{"price": {"netPrice": "a"}}]`,
		`"lines": [{"price": {"netPrice": true}}]`, `"number": {}`, `"number": []`, `"number": null, "number": null`, `"testIndicator": "perhaps"`, `"totals": {"paidAmount": 1e999}`, `"buyer": {"name": false}`,
	}
	members = append(members, strings.Join(members, ", "))
	english := regexp.MustCompile(`\b(this is|there (is|are)|did you mean|write|line|column|such as|and the like|the document|is not|was|with)\b`)
	names := regexp.MustCompile(`"[^"]*"|/[A-Za-z0-9/]+`)
	told := 0
	for _, member := range members {
		file := filepath.Join(t.TempDir(), "request.json")
		if err := os.WriteFile(file, []byte(`{"invoice": {`+member+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, language := range []string{"de", "fr"} {
			for line := range strings.Lines(saidOnError(t, "create", "ubl", "--language", language, file)) {
				told++
				if word := english.FindString(names.ReplaceAllString(line, "")); word != "" {
					t.Errorf("%s, %s: %q is English in\n%s", language, member, word, line)
				}
			}
		}
	}
	if told < 2*len(members) {
		t.Errorf("only %d lines were read", told)
	}
}

// saidOnError is what a command says on standard error.
func saidOnError(t *testing.T, args ...string) string {
	t.Helper()
	var files [2]*os.File
	for i := range files {
		f, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	Machines{}.run(args, os.Stdin, files[0], files[1])
	said, err := os.ReadFile(files[1].Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// What commands say of what they make, findings, losses, and what a look or the fonts lack, has no
// line that it has in English.
func TestWhatIsToldIsInOneLanguage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty.json": `{"invoice": {"number": "1"}}`,
		"sub.json": `{"invoice": {"number": "1", "issueDate": "2026-11-20", "currencyCode": "EUR", "seller": {"name": "\U00010380 A", "vatIdentifier": "DE123456789", "postalAddress": {"countryCode": "DE"}},
			"buyer": {"name": "B", "postalAddress": {"countryCode": "DE"}}, "lines": [{"item": {"name": "C"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": {"netPrice": 5}, "vat": {"categoryCode": "S", "rate": 19},
			"subLines": [{"item": {"name": "D"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": {"netPrice": 5}, "vat": {"categoryCode": "S", "rate": 19}}]}]}}`,
		"accounts.json": `{"invoice": {"number": "1", "issueDate": "2026-11-20", "currencyCode": "EUR", "buyerReference": "b", "seller": {"name": "A", "vatIdentifier": "DE123456789", "postalAddress": {"countryCode": "DE"}},
			"buyer": {"name": "B", "postalAddress": {"countryCode": "DE"}}, "lines": [{"item": {"name": "C"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": {"netPrice": 5}, "vat": {"categoryCode": "S", "rate": 19}}],
			"thirdPartyPayments": [{"amount": "1.00", "description": "x", "type": "y"}], "paymentInstructions": {"means": [{"typeCode": "58", "creditTransfers": [{"accountIdentifier": "1"}, {"accountIdentifier": "2"}]}]}}}`,
		"two.json": `{"invoice": {"number": "1", "issueDate": "2026-11-20", "currencyCode": "EUR", "buyerReference": "b", "seller": {"name": "A", "vatIdentifier": "DE123456789", "postalAddress": {"countryCode": "DE"}},
			"delivery": {"actualDeliveryDate": "2026-11-20"}, "paymentDueDate": "2026-12-20", "buyer": {"name": "B", "postalAddress": {"countryCode": "DE"}}, "lines": [{"item": {"name": "C"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": {"netPrice": 5}, "vat": {"categoryCode": "S", "rate": 19}}],
			"paymentInstructions": {"means": [{"typeCode": "58", "creditTransfers": [{"accountIdentifier": "1"}, {"accountIdentifier": "2"}]}]}}}`,
		"short.yaml": "{name: short, based: general, sections: [facts, lines, totals]}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, `\U00010380`, "\U00010380")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const sample = "../../einvoice/samples/ubl-faulty.xml"
	told, parts := 0, partsOfPhrases(t)
	for _, args := range [][]string{
		{"create", "zugferd", filepath.Join(dir, "empty.json")},
		{"create", "facturx", "--profile", "extended", "--strict", filepath.Join(dir, "sub.json")},
		{"create", "facturx", "--profile", "minimum", filepath.Join(dir, "sub.json")},
		{"create", "cii", filepath.Join(dir, "accounts.json")},
		{"create", "cii", filepath.Join(dir, "two.json")},
		{"render", "--look", filepath.Join(dir, "short.yaml"), sample},
		{"convert", "--to", "facturx", "--profile", "basic", sample},
		{"convert", "--to", "zugferd", sample},
	} {
		english := strings.Split(saidOnError(t, args...), "\n")
		for _, language := range []string{"de", "fr"} {
			said := strings.Split(saidOnError(t, append(args, "--language", language)...), "\n")
			if len(said) < 2 || len(said) != len(english) {
				t.Errorf("%v, %s: %d lines, and %d in English", args, language, len(said), len(english))
			}
			for _, line := range said {
				if told++; strings.Contains(line, " ") && slices.Contains(english, line) && !strings.HasPrefix(line, "  --set ") {
					t.Errorf("%v, %s: in English is\n%s", args, language, line)
				}
				for _, part := range parts {
					if strings.Contains(line, part) {
						t.Errorf("%v, %s: %q is English in\n%s", args, language, part, line)
					}
				}
			}
		}
	}
	if told < 30 {
		t.Errorf("only %d lines were read", told)
	}
}

// partsOfPhrases are the parts of the program's English sentences that have three words or more:
// no line in another language has one.
func partsOfPhrases(t *testing.T) (parts []string) {
	t.Helper()
	german, err := words.Open(rulesets.FS, "de")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(rulesets.FS, german.Path("phrases/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		phrases, err := german.Phrases("phrases/" + path.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		for english, said := range phrases {
			for _, part := range regexp.MustCompile(`[{<]\d[}>]`).Split(english, -1) {
				if len(strings.Fields(part)) > 2 && len(part) > 14 && !strings.Contains(said, strings.TrimSpace(part)) {
					parts = append(parts, part)
				}
			}
		}
	}
	if len(parts) < 500 {
		t.Fatalf("only %d parts of phrases", len(parts))
	}
	return parts
}
