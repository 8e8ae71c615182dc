package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/model/sampled"
	"einvoice/rulesets"

	"github.com/spf13/cobra"
)

// Every command tells what is wrong in the language that it is asked for, and refuses one that
// there is not.
func TestEveryCommandSpeaks(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			walk(below)
		}
		path := strings.TrimPrefix(c.CommandPath(), "einvoice ")
		if !c.Runnable() || c.Hidden || path == "serve" || path == "lsp" || path == "completion" || strings.HasPrefix(path, "completion ") || path == "help" {
			return
		}
		if c.Flags().Lookup("language") == nil {
			t.Errorf("%s has no --language", path)
			return
		}
		german, _ := ran(t, append(strings.Fields(path), "--nope", "--language", "de-AT")...)
		if english, _ := ran(t, append(strings.Fields(path), "--nope")...); german == english {
			t.Errorf("%s --language de-AT: %s", path, german)
		}
	}
	root := newRoot(Machines{})
	walk(root)
	for _, args := range [][]string{{"rules", "check", "--language", "xx", "."}, {"look", "check", "x.yaml", "--language=german"}, {"keys", "list", "--language", "../de"}} {
		if told, status := ran(t, args...); status != exitUnreadable || !strings.Contains(told, "there are en, de, fr") {
			t.Errorf("%s: %d %s", strings.Join(args, " "), status, told)
		}
	}
}

// ran runs the program, and returns what it says on both outputs.
func ran(t *testing.T, args ...string) (told string, status int) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "told"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	status = Machines{}.run(args, os.Stdin, file, file)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), status
}

// Whatever is wrong in files of rules, rules check says each mistake in the language that it is
// asked for, and so it says how many there are.
func TestMistakesInOneLanguage(t *testing.T) {
	all := readMistakes(t)
	library, err := shipped.Library()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all.Cases {
		if !sampled.Takes(i, 12) {
			continue
		}
		folder := all.folder(c)
		rules, err := engine.Open(engine.Layered(folder, rulesets.FS))
		if err != nil {
			continue
		}
		said := map[string][]string{}
		for _, tag := range []string{"en", "de", "fr"} {
			language, err := library.Language(tag)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := checkRules(&out, rules, ".", "text", c.Strict, language); err != nil && !errors.Is(err, errInvalid) {
				t.Fatalf("%s: %v", c.Name, err)
			}
			said[tag] = strings.Split(strings.TrimSpace(out.String()), "\n")
		}
		for _, tag := range []string{"de", "fr"} {
			for n, line := range said[tag] {
				if line == said["en"][n] {
					t.Errorf("%s: %q is not in %s: translate it in phrases/authoring.yaml", c.Name, line, tag)
				}
			}
		}
	}
}

// An expression that is wrong is told in one language, and the line that shows where stays as it
// is written.
func TestWrongExpressionsInOneLanguage(t *testing.T) {
	const sample = "../../einvoice/samples/ubl-valid.xml"
	for _, args := range [][]string{
		{"cel", "this.nettAmount", sample}, {"cel", "this.number ==", sample}, {"cel", "invoice.lines[7].netAmount", sample},
		{"cel", "this.number == 1", sample}, {"cel", "nothing(this)", sample}, {"cel", "'a", sample}, {"cel", "this.number", sample, "--context", "//cac:Nope["},
		{"xpath", "1 + count(/invoice/lines)", sample}, {"xpath", "//cac:InvoiceLine[", sample}, {"xpath", "for $x in //a return $x", sample},
		{"xpath", "//cac:InvoiceLine", sample}, {"xpath", "count(/invoice/lines)", sample}, {"xpath", "//cac:InvoiceLine/following::*", sample},
		{"rules", "test", "nowhere"}, {"rules", "mutate", "nowhere"}, {"look", "check", "nowhere.yaml"}, {"rules", "test", "--run", "[", "."},
	} {
		english, _ := ran(t, args...)
		for _, tag := range []string{"de", "fr"} {
			told, _ := ran(t, append(args, "--language", tag)...)
			lines := strings.Split(told, "\n")
			for n, line := range strings.Split(english, "\n") {
				place := strings.HasPrefix(line, "  ") // a value, or where in the expression
				if n >= len(lines) || line != "" && !place && !strings.Contains(line, sample) && lines[n] == line || place && lines[n] != line {
					t.Errorf("%s: %s says\n%s\nin English\n%s", strings.Join(args, " "), tag, told, english)
					break
				}
			}
		}
	}
}

// Rules that do not load are told in one language by every command that loads them, each mistake of
// theirs too.
func TestRulesThatDoNotLoadInOneLanguage(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "acme", "1", "a.yaml")
	const taken = "ruleset: acme\nversion: 1\nlayer: cius\nrules:\n  - {id: A-1, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t}\n  - {id: BR-01, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t}\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(taken), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"rules", "test", folder}, {"rules", "list", "--rulesets", folder}, {"validate", "--rulesets", folder, "../../einvoice/samples/ubl-valid.xml"}} {
		told, _ := ran(t, append(args, "--language", "de")...)
		if !strings.Contains(told, "lassen sich nicht laden:\n") || !strings.Contains(told, ": en16931/1.3.16 hat eine Regel BR-01: geben Sie") {
			t.Errorf("%s: %s", strings.Join(args, " "), told)
		}
	}
}

// What is wrong with arguments, files and folders is told in one language, whichever package finds it.
func TestWrongArgumentsInOneLanguage(t *testing.T) {
	const sample = "../../einvoice/samples/ubl-valid.xml"
	folder := t.TempDir()
	list, own, logo := filepath.Join(folder, "keys"), filepath.Join(folder, "own.yaml"), filepath.Join(folder, "logo.svg")
	for name, text := range map[string]string{
		own:                                "name: own\nbased: din5008\nlogo: {file: logo.svg, x: 190, y: 12, width: 62, height: 24}\n",
		logo:                               `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text x="1" y="5">A</text></svg>`,
		filepath.Join(folder, "foot.yaml"): "name: foot\nbased: din5008\nfoot: [[seller.nope]]\n",
		filepath.Join(folder, "log.jsonl"): "{}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"keys", "new", "a", "--keys", list, "--operations", "nope"}, {"keys", "revoke", "zz", "--keys", list}, {"keys", "new", "", "--keys", list},
		{"archive", "add", folder, folder}, {"rules", "at", "zz", folder}, {"rules", "at", "0123456789abcdef", folder}, {"rules", "import", sample},
		{"rules", "prove", "nlcius", "--verdicts", folder}, {"rules", "coverage", folder}, {"rules", "coverage", "--rules", "nope", filepath.Dir(sample)}, {"conformance", folder},
		{"embed", sample, sample}, {"look", "new", filepath.Join(folder, "a"), "--accent", "red"}, {"parse", "--parse-model-name", "m", sample},
		{"look", "check", own}, {"look", "check", filepath.Join(folder, "foot.yaml")}, {"archive", "verify", folder}, {"parse", "--ocr", "nowhere", sample}, {"rules", "import", own},
	} {
		english, _ := ran(t, args...)
		for _, tag := range []string{"de", "fr"} {
			told, _ := ran(t, append(args, "--language", tag)...)
			for _, words := range []string{"there is", "there are", "its ", "nothing", "too short", "has no ", "of the log", "cannot have", "not XML", "the colour", "settings", "no document"} {
				if strings.Contains(english, words) && strings.Contains(told, words) {
					t.Errorf("%s: %s says %s", strings.Join(args, " "), tag, told)
					break
				}
			}
			if told == english {
				t.Errorf("%s: %s is English: %s", strings.Join(args, " "), tag, told)
			}
		}
	}
}
