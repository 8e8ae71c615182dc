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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"
)

// A docPage is a page of the documentation.
type docPage struct{ name, text string } // name is relative to the root

// docPages are the README, CONTRIBUTING, the docs and the decisions.
func docPages(t *testing.T) []docPage {
	t.Helper()
	var pages []docPage
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "docs/*.md", "docs/adr/*.md", "docs/countries/*.md", "rulesets/*/*.md"} {
		files, err := filepath.Glob("../../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, docPage{name: strings.TrimPrefix(filepath.ToSlash(file), "../../../"), text: string(data)})
		}
	}
	return pages
}

var (
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	mdLink   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	htmlLink = regexp.MustCompile(`(?:src|href)="([^"]+)"`)
	image    = regexp.MustCompile(`<img[^>]*>|!\[([^\]]*)\]`)
	altText  = regexp.MustCompile(`alt="[^"]{20,}"`)
)

// anchorsOf are the anchors that a page has for its headings.
func anchorsOf(text string) []string {
	var out []string
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(h[1], "$1")
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
				return r
			}
			return -1
		}, strings.ToLower(title))
		out = append(out, slug)
	}
	return out
}

// TestDocsLinks follows every link of a page to a file, and to the heading that it names. Each
// picture says what it shows, is small, and is on a page.
func TestDocsLinks(t *testing.T) {
	links, shown := 0, map[string]bool{}
	for _, page := range docPages(t) {
		text := codeSpan.ReplaceAllString(fenced.ReplaceAllString(page.text, ""), "")
		for _, l := range append(mdLink.FindAllStringSubmatch(text, -1), htmlLink.FindAllStringSubmatch(text, -1)...) {
			if strings.Contains(l[1], "://") || strings.HasPrefix(l[1], "mailto:") {
				continue
			}
			links++
			file, fragment, _ := strings.Cut(l[1], "#")
			target := page.name
			if file != "" {
				target = path.Join(path.Dir(page.name), file)
			}
			data, err := os.ReadFile("../../../" + target)
			if info, statErr := os.Stat("../../../" + target); statErr != nil {
				t.Errorf("%s: %s is not there", page.name, l[1])
			} else if fragment != "" && (info.IsDir() || err != nil || !slices.Contains(anchorsOf(string(data)), fragment)) {
				t.Errorf("%s: %s has no heading %q", page.name, target, fragment)
			}
			shown[target] = true
		}
		for _, img := range image.FindAllString(text, -1) {
			if !altText.MatchString(img) {
				t.Errorf("%s: %s has no text for who does not see it", page.name, img)
			}
		}
	}
	pictures, err := filepath.Glob("../../../docs/pictures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		name := strings.TrimPrefix(filepath.ToSlash(p), "../../../")
		if info, err := os.Stat(p); err != nil || info.Size() > 150<<10 {
			t.Errorf("%s has more than 150 KiB", name)
		}
		if !shown[name] {
			t.Errorf("%s is on none of the pages", name)
		}
	}
	if links < 150 || len(pictures) < 5 {
		t.Errorf("only %d links and %d pictures", links, len(pictures))
	}
}

var ruleID = regexp.MustCompile(`\b(?:BR|PEPPOL|DK-R|IT-R|NL-R|NO-R|SE-R|GR-R|IS-R|BATCH|UBL-DT|UBL-SR|CII-SR|CII-DT)-[A-Z0-9-]*[0-9]\b`)

// A namedKind is a kind of name that pages write, and what holds it against the program.
type namedKind struct {
	kind  string
	form  *regexp.Regexp // its first group is the name
	there func(name string) bool
	least int // so many are on the pages
}

// elsewhere are names on the pages that are those of other programs, or of the files of an example.
var elsewhere = []string{
	"BR-FR-MV-12", // a rule of France that is not translated
	"--action", "--source", "--source-xml", "--out", "--format", "--version", "--profileID", "--customizationID", "--attachments",
	"--log-as-pdf", "--listfromstdin", "--no-additional-attachments", "--no-arithmetic-check", "--disable-file-logging",
	"--no-notices", "--exclude", "--psm",
	"bufio.Scanner", "context.", "errors.As", // of Go's own library
	"types.Array", "types.Dict", // of pdfcpu
	"result.GiveBack", "service.CheckRules", // of values in an example
	"Einvoice.Types", "SUBJECT.PLACE.NAME", // of .NET, and a pattern
	"parse_score.py", "tables/NAME.yaml", // of the shared folder, and of the data of a company
	"acme.yaml", "phrases/acme.yaml", "overlays/acme.yaml", "overlays/france.yaml", "my-rules/company/1/orders.yaml", // of examples
}

// TestDocsNames looks every name up that a page has of the program: tests, make targets, files,
// commands with their flags, settings, codes, rules, metrics and paths of the service.
func TestDocsNames(t *testing.T) {
	root := newRoot(Machines{})
	flags, commands := map[string]bool{}, map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		commands[c.CommandPath()] = true
		for _, line := range strings.Fields(c.Flags().FlagUsages() + " " + c.PersistentFlags().FlagUsages()) {
			flags[strings.TrimRight(line, ",")] = true
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	sources := sourcesOf(t)
	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	openAPI, err := os.ReadFile("../../../server/docs/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var routes []string
	for _, m := range regexp.MustCompile(`(?m)^  (/[^:\n]*):$`).FindAllStringSubmatch(string(openAPI), -1) {
		routes = append(routes, m[1])
	}
	kinds := []namedKind{
		{"test", regexp.MustCompile(`\b((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z]+)(?:\b|\*)`), func(name string) bool {
			return strings.Contains(sources.tests, "\nfunc "+name)
		}, 80},
		{"make target", regexp.MustCompile(`^make ([a-z0-9-]+)`), func(name string) bool {
			return strings.Contains(string(makefile), "\n"+name+":")
		}, 50},
		{"file", regexp.MustCompile(`^((?:cmd|conformance|deploy|docs|engine|formats|model|rulesets|server|service)/[A-Za-z0-9._/*-]+)$`), func(name string) bool {
			// TAG and the like are for any name; behind a point there may be a name of Go.
			name = regexp.MustCompile(`\b[A-Z]{3,}\b`).ReplaceAllString(strings.TrimSuffix(name, "/"), "*")
			found, _ := filepath.Glob("../../../" + regexp.MustCompile(`\.[A-Z]\w*$`).ReplaceAllString(name, ""))
			return len(found) > 0
		}, 60},
		{"flag", regexp.MustCompile(`^(--[a-z][a-z-]+)`), func(name string) bool { return flags[name] }, 100},
		{"command", regexp.MustCompile(`^((?:einvoice|einvoiced) [a-z]+(?: [a-z]+)?)`), func(name string) bool {
			words := strings.Fields(strings.Replace(name, "einvoiced", "einvoice", 1))
			return commands[strings.Join(words, " ")] || commands[strings.Join(words[:2], " ")]
		}, 40},
		{"code", regexp.MustCompile(`^((?:BULK|XML|PDF|PDFA|PARSE|FORMAT|OPTION|KEY|RULE|LOOK|PAGES|OVERLAY|PROFILE|REQUEST|CONTAINER|COMPARE|BUNDLE|NOT)-[A-Z][A-Z-]+)$`), func(name string) bool {
			return strings.Contains(sources.program, name)
		}, 60},
		{"metric", regexp.MustCompile(`\b(einvoice_[a-z_]+)\b`), func(name string) bool {
			for _, prefix := range []string{"", "einvoice_", "einvoice_bulk_", "einvoice_watch_"} {
				if strings.Contains(sources.program, `"`+strings.TrimPrefix(name, prefix)+`"`) {
					return true
				}
			}
			return false
		}, 20},
		{"variable", regexp.MustCompile(`\bEINVOICE_([A-Z_]+[A-Z])`), func(name string) bool {
			return flags["--"+strings.ReplaceAll(strings.ToLower(name), "_", "-")] || strings.Contains(sources.program, "EINVOICE_"+name)
		}, 1},
		{"path of the service", regexp.MustCompile(`(/v1/[a-z/{}]+[a-z}])`), func(name string) bool {
			return slices.ContainsFunc(routes, func(r string) bool { return strings.HasPrefix(r, name) || samePath(r, name) })
		}, 40},
	}
	kinds = append(kinds, namedKind{"name of Go", regexp.MustCompile(`^([A-Za-z]\w*\.[A-Z]\w*)`), sources.declares, 35},
		namedKind{"file of any folder", regexp.MustCompile(`^([A-Za-z_][\w/-]*\.(?:go|py|yaml))$`), sources.hasFile, 50})
	counted, rules := map[string]int{}, 0
	for _, page := range docPages(t) {
		if page.name == "docs/commands.md" || page.name == "docs/growth.md" || page.name == "docs/published-faults.md" {
			continue // made by the program
		}
		if strings.Contains(page.text, "\nStatus: superseded") {
			continue // it names what was there
		}
		for _, id := range ruleID.FindAllString(fenced.ReplaceAllString(page.text, ""), -1) {
			rules++
			if !strings.Contains(sources.program, id) && !slices.Contains(elsewhere, id) {
				t.Errorf("%s: nothing has the rule %s", page.name, id)
			}
		}
		for _, code := range codeSpan.FindAllStringSubmatch(fenced.ReplaceAllString(page.text, ""), -1) {
			if slices.ContainsFunc(elsewhere, func(e string) bool { return strings.HasPrefix(code[1], e) }) {
				continue
			}
			for _, k := range kinds {
				for _, m := range k.form.FindAllStringSubmatch(code[1], -1) {
					counted[k.kind]++
					if !k.there(m[1]) {
						t.Errorf("%s: the %s %q of %q is not in the program", page.name, k.kind, m[1], code[1])
					}
				}
			}
		}
	}
	if t.Log(counted, rules); rules < 100 {
		t.Errorf("only %d rules were found", rules)
	}
	for _, k := range kinds {
		if counted[k.kind] < k.least {
			t.Errorf("only %d names of the kind %s were found", counted[k.kind], k.kind)
		}
	}
}

// TestDocsArePlain looks for words that readers stumbled over (engine/testdata/plain.yaml), in the
// docs, in the comments of the program, and in what the page /app says.
func TestDocsArePlain(t *testing.T) {
	data, err := os.ReadFile("../../../engine/testdata/plain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var plain struct{ Words map[string]string }
	if err := yaml.Unmarshal(data, &plain); err != nil || len(plain.Words) < 10 {
		t.Fatal(len(plain.Words), err)
	}
	instead := map[*regexp.Regexp]string{}
	for word, with := range plain.Words {
		instead[regexp.MustCompile(`(?i)(?:`+word+`)`)] = with
	}
	judge := func(name, text string) {
		for word, with := range instead {
			for _, at := range word.FindAllStringIndex(text, -1) {
				t.Errorf("%s: %q; write %s", name, text[max(0, at[0]-30):min(len(text), at[1]+20)], with)
			}
		}
	}
	for _, page := range docPages(t) {
		judge(page.name, codeSpan.ReplaceAllString(fenced.ReplaceAllString(page.text, ""), ""))
	}
	comments, said := 0, 0
	comment, quoted := regexp.MustCompile(`(?m)^\s*// ?(.*)$`), regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	eachSource(t, func(file, text string) {
		switch {
		case strings.HasSuffix(file, "_test.go"):
		case strings.HasSuffix(file, ".go"):
			for _, c := range comment.FindAllStringSubmatch(text, -1) {
				comments++
				judge(file, codeSpan.ReplaceAllString(c[1], ""))
			}
		case strings.HasSuffix(file, "server/app/src/words.ts"):
			for _, s := range quoted.FindAllString(text, -1) {
				said++
				judge(file, s)
			}
		}
	})
	if t.Log(comments, said); comments < 10000 || said < 700 {
		t.Errorf("only %d lines of comments and %d texts of the page were looked at", comments, said)
	}
}

// TestDocsLevels sees that a sentence calls a finding of the program what its level is: a warning, or
// a notice.
func TestDocsLevels(t *testing.T) {
	files, err := filepath.Glob("../../../rulesets/findings/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]string{}
	for _, file := range files {
		var list struct {
			Findings []struct {
				ID, Level string
				Cases     map[string]struct{ Level string }
			}
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = yaml.Unmarshal(data, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list.Findings {
			levels[f.ID] = f.Level
			for _, c := range f.Cases {
				if c.Level != "" && c.Level != f.Level {
					delete(levels, f.ID)
				}
			}
		}
	}
	called := map[string]*regexp.Regexp{
		"warning": regexp.MustCompile(`\bwarnings?\b`), "information": regexp.MustCompile(`\b(?:notices?|information)\b`),
	}
	code, sentence, seen := regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b`), regexp.MustCompile(`[.;:]\s+|\n`), 0
	for _, page := range docPages(t) {
		for _, s := range sentence.Split(fenced.ReplaceAllString(page.text, ""), -1) {
			isWarning, isNotice := called["warning"].MatchString(s), called["information"].MatchString(s)
			for _, id := range code.FindAllString(s, -1) {
				level, known := levels[id]
				if !known || isWarning == isNotice {
					continue
				}
				if seen++; isWarning != (level == "warning") || isNotice != (level == "information") {
					t.Errorf("%s: %s is of level %s: %s", page.name, id, level, s)
				}
			}
		}
	}
	if t.Log(seen); seen < 10 {
		t.Errorf("only %d findings are called anything", seen)
	}
}

// TestBulkOptionsTable sees that docs/bulk.md lists for each operation the flags that are its own.
func TestBulkOptionsTable(t *testing.T) {
	page, err := os.ReadFile("../../../docs/bulk.md")
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := newRoot(Machines{}).Find([]string{"bulk", "run"})
	if err != nil || len(run.Commands()) < 7 {
		t.Fatal(err, len(run.Commands()))
	}
	named := regexp.MustCompile(`--[a-z][a-z-]+`)
	flagsOf, times := map[string][]string{}, map[string]int{}
	for _, c := range run.Commands() {
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flagsOf[c.Name()] = append(flagsOf[c.Name()], "--"+f.Name)
			times["--"+f.Name]++
		})
	}
	for operation, flags := range flagsOf {
		_, row, _ := strings.Cut(string(page), "\n| `"+operation+"` |")
		row, _, found := strings.Cut(row, "\n")
		if !found {
			t.Errorf("%s is not in the table", operation)
		}
		if operation == "validate" {
			continue // it refers to the command
		}
		listed := named.FindAllString(row, -1)
		for _, f := range flags {
			if times[f] < len(flagsOf)-1 && !slices.Contains(listed, f) && !slices.Contains(flagsOf["validate"], f) {
				t.Errorf("the options of %s lack %s", operation, f)
			}
		}
		for _, f := range listed {
			if !slices.Contains(flags, f) && f != "--on" {
				t.Errorf("%s has no %s", operation, f)
			}
		}
	}
}

// TestDecisions sees that each decision has its number, a status and a day, and that it is accepted or
// says by which one it is superseded.
func TestDecisions(t *testing.T) {
	status := regexp.MustCompile(`(?m)\A# (\d+)\. .+\n\nStatus: (accepted|superseded[^\n]*), 20\d\d-[01]\d-[0-3]\d[.;]`)
	seen := 0
	for _, page := range docPages(t) {
		if path.Dir(page.name) != "docs/adr" {
			continue
		}
		seen++
		m := status.FindStringSubmatch(page.text)
		if m == nil || !strings.HasPrefix(path.Base(page.name), strings.Repeat("0", 4-len(m[1]))+m[1]+"-") {
			t.Errorf("%s does not begin with its number, title, status and day", page.name)
		} else if strings.HasPrefix(m[2], "superseded") && !strings.Contains(page.text, "](00") {
			t.Errorf("%s does not say what superseded it", page.name)
		}
	}
	if seen < 30 {
		t.Errorf("only %d decisions were found", seen)
	}
}

// TestExitStatusTable sees that docs/ci.md says of each command how it ends.
func TestExitStatusTable(t *testing.T) {
	page, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name, _ := strings.CutPrefix(c.CommandPath(), "einvoice ")
		// The operations of bulk run are its first argument as well.
		listed := strings.Contains(string(page), "`"+name+"`") || strings.HasPrefix(name, "bulk run ") ||
			strings.Contains(string(page), "`"+name+" --")
		if c.Runnable() && !c.HasSubCommands() && !c.Hidden && !listed {
			t.Errorf("docs/ci.md does not say how %s ends", name)
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	root := newRoot(Machines{})
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			walk(c)
		}
	}
}

// samePath reports whether a path of the pages is a route, each word of which may be a variable.
func samePath(route, name string) bool {
	a, b := strings.Split(route, "/"), strings.Split(name, "/")
	if len(a) < len(b) {
		return false
	}
	for i := range b {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "{") && !strings.HasPrefix(b[i], "{") {
			return false
		}
	}
	return true
}

// A sourceText is the text of the program's sources, with the names of their files.
type sourceText struct {
	program, tests string
	files          []string
	packages       map[string]string // the texts of packages, by their last element
}

// hasFile reports whether a file is there, by the end of its path; TAG and the like are for any name.
func (s *sourceText) hasFile(name string) bool {
	form := regexp.MustCompile(`/` + regexp.MustCompile(`\b[A-Z]{3,}\b`).ReplaceAllString(regexp.QuoteMeta(name), `[^/]+`) + `$`)
	return slices.ContainsFunc(s.files, form.MatchString)
}

// declares reports whether a package declares a name, or a type of the program a method or a field.
func (s *sourceText) declares(name string) bool {
	of, member, _ := strings.Cut(name, ".")
	if of[0] >= 'a' {
		return regexp.MustCompile(`(?m)^(?:(?:func|type|var|const) |\t)` + member + `\b`).MatchString(s.packages[of])
	}
	return regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?`+of+`\) `+member+`\(`).MatchString(s.program) ||
		regexp.MustCompile(`(?ms)^type `+of+` struct \{$[^}]*^\t`+member+`\b`).MatchString(s.program)
}

func sourcesOf(t *testing.T) (s sourceText) {
	t.Helper()
	var program, tests strings.Builder
	s.packages = map[string]string{}
	eachSource(t, func(file, text string) {
		s.files = append(s.files, file)
		switch {
		case strings.HasSuffix(file, "_test.go"):
			tests.WriteString(text)
		case strings.HasSuffix(file, ".go"):
			s.packages[path.Base(path.Dir(file))] += text
			program.WriteString(text)
		case strings.HasSuffix(file, ".yaml"):
			program.WriteString(text)
		}
	})
	s.program, s.tests = program.String(), tests.String()
	return s
}

// eachSource reads the sources of the program: Go, YAML, TypeScript and Python.
func eachSource(t *testing.T, visit func(file, text string)) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "bin" || d.Name() == "packed" || d.Name() == "compiled"):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".yaml", ".ts", ".py"}, filepath.Ext(file)):
			return nil
		}
		data, err := os.ReadFile(file)
		visit(filepath.ToSlash(file), string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadmeIsOneScreen counts the rows of the README as a reader sees them beside its pictures, in a
// window of 80 columns, and what it promises to have: two pictures, two commands of make, five of
// the program, and each page of docs on its map.
func TestReadmeIsOneScreen(t *testing.T) {
	data, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	rows := 0
	for line := range strings.SplitSeq(mdLink.ReplaceAllString(text, "]"), "\n") {
		if !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "| ---") {
			rows += 1 + max(0, len(line)-1)/76 // words are not broken
		}
	}
	if rows > 60 {
		t.Errorf("the README has %d rows", rows)
	}
	blocks := shellBlocks(t, "../../../README.md")
	if len(blocks) != 2 || strings.Count(strings.Join(blocks[0].lines, "\n"), "make ") != 2 || len(blocks[1].lines) != 5 || strings.Count(text, "<img ") != 2 {
		t.Errorf("the README has other commands or pictures: %v", blocks)
	}
	for _, page := range docPages(t) {
		if path.Dir(page.name) == "docs" && page.name != "docs/reader-test.md" && page.name != "docs/published-faults.md" && !strings.Contains(text, "]("+page.name+")") {
			t.Errorf("%s is not on the map of the README", page.name)
		}
	}
}
