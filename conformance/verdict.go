package conformance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
)

// A Verdict is what the published artefacts report for one document.
type Verdict struct {
	SchemaValid bool
	// Stopped means that a stylesheet stopped with an error, so that nothing follows from
	// the rules that it did not report.
	Stopped bool
	// Fired is the level of each rule that fired, by artefact. An artefact that ran and
	// reported nothing has an empty entry.
	Fired map[string]map[string]engine.Level
}

// An Entry is a document of a suite with its verdict.
type Entry struct {
	SHA256  string
	Name    string
	Verdict Verdict
}

// Recorded verdicts are kept as text, with one file per suite:
//
//	suite cen-unit
//	schema-invalid | en16931 fatal BR-01 BR-02 warning UBL-CR-001 | xrechnung
//	  0f3a...  Invoice-unit-UBL--BR-01--02.xml
//
// Each verdict is written once, followed by all documents with this verdict.
const (
	schemaValid   = "schema-valid"
	schemaInvalid = "schema-invalid"
	stopped       = "stopped"
)

// WriteVerdicts writes the verdicts of a suite as text, in an order that depends only on
// the entries.
func WriteVerdicts(w io.Writer, suite string, entries []Entry) error {
	groups := map[string][]Entry{}
	for _, e := range entries {
		line := e.Verdict.String()
		groups[line] = append(groups[line], e)
	}
	lines := make([]string, 0, len(groups))
	for line, group := range groups {
		slices.SortFunc(group, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(groups[a][0].Name, groups[b][0].Name) })
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "suite %s\n", suite)
	for _, line := range lines {
		fmt.Fprintf(out, "%s\n", line)
		for _, e := range groups[line] {
			fmt.Fprintf(out, "  %s  %s\n", e.SHA256, e.Name)
		}
	}
	return out.Flush()
}

// String is the line of the verdict in a file of recorded verdicts.
func (v Verdict) String() string {
	var b strings.Builder
	b.WriteString(schemaInvalid)
	if v.SchemaValid {
		b.Reset()
		b.WriteString(schemaValid)
	}
	if v.Stopped {
		b.WriteString(" " + stopped)
	}
	for _, artefact := range slices.Sorted(maps.Keys(v.Fired)) {
		b.WriteString(" | " + artefact)
		for _, level := range engine.Levels {
			head := " " + string(level)
			for _, rule := range slices.Sorted(maps.Keys(v.Fired[artefact])) {
				if v.Fired[artefact][rule] == level {
					b.WriteString(head + " " + rule)
					head = ""
				}
			}
		}
	}
	return b.String()
}

func parseVerdict(line string) (Verdict, error) {
	parts := strings.Split(line, " | ")
	v := Verdict{Fired: map[string]map[string]engine.Level{}}
	for i, word := range strings.Fields(parts[0]) {
		switch {
		case i == 0 && word == schemaValid:
			v.SchemaValid = true
		case i == 0 && word == schemaInvalid:
		case i == 1 && word == stopped:
			v.Stopped = true
		default:
			return v, fmt.Errorf("a verdict begins with %s or %s, then %s if a stylesheet stopped; this one begins %q", schemaValid, schemaInvalid, stopped, parts[0])
		}
	}
	for _, part := range parts[1:] {
		words := strings.Fields(part)
		if len(words) == 0 {
			return v, fmt.Errorf("an artefact has no name in %q", line)
		}
		fired := map[string]engine.Level{}
		v.Fired[words[0]] = fired
		level := engine.Level("")
		for _, word := range words[1:] {
			if slices.Contains(engine.Levels, engine.Level(word)) {
				level = engine.Level(word)
				continue
			}
			if level == "" {
				return v, fmt.Errorf("rule %s comes before any level", word)
			}
			fired[word] = level
		}
	}
	return v, nil
}

// ReadVerdicts reads what WriteVerdicts wrote.
func ReadVerdicts(r io.Reader) (suite string, entries []Entry, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var current Verdict
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case n == 1:
			name, ok := strings.CutPrefix(line, "suite ")
			if !ok {
				return "", nil, fmt.Errorf("line 1: expected \"suite NAME\"")
			}
			suite = name
		case strings.HasPrefix(line, "  "):
			sha, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
			if !ok || len(sha) != 64 {
				return "", nil, fmt.Errorf("line %d: expected a SHA-256 and a name", n)
			}
			entries = append(entries, Entry{sha, name, current})
		default:
			if current, err = parseVerdict(line); err != nil {
				return "", nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	return suite, entries, lines.Err()
}

// recorded is what is recorded of one document.
type recorded struct {
	occurrences []occurrence // a document can be in several suites
	verdicts    []Verdict    // in each of them, which can be those of different artefacts
}

// An occurrence is a document in a suite.
type occurrence struct{ suite, name string }

// recordedVerdicts are all recorded verdicts, by the SHA-256 of the document.
var recordedVerdicts = sync.OnceValues(func() (map[string]*recorded, error) {
	files := verdictFiles()
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, err
	}
	out := map[string]*recorded{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		suite, entries, err := ReadVerdicts(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, e := range entries {
			r := out[e.SHA256]
			if r == nil {
				r = &recorded{}
				out[e.SHA256] = r
			}
			r.occurrences = append(r.occurrences, occurrence{suite, e.Name})
			r.verdicts = append(r.verdicts, e.Verdict)
		}
	}
	return out, nil
})
