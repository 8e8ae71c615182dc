package proving

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/model/pattern"
)

// fired are rules that fired, by their level.
type fired map[string]engine.Level

// Saxon runs compiled Schematron; Jars is the folder of its libraries (make saxon).
type Saxon struct{ Jars string }

// Ready says what is missing, if anything is.
func (s Saxon) Ready() error {
	jars, err := filepath.Glob(filepath.Join(s.Jars, "*.jar"))
	if err != nil {
		return err
	}
	if len(jars) == 0 {
		return fmt.Errorf("there is no Saxon in %s: run make saxon, or compare with recorded verdicts (--verdicts)", s.Jars)
	}
	if _, err := exec.LookPath("java"); err != nil {
		return errors.New("there is no Java on the PATH to run Saxon with: install one, or compare with recorded verdicts (--verdicts)")
	}
	return nil
}

// run decides documents by a compiled stylesheet. The verdict on one that the stylesheet
// stopped on is nil; stops are what it said, by document.
func (s Saxon) run(ctx context.Context, sheet string, documents [][]byte) (verdicts []fired, stops map[int]stop, err error) {
	dir, err := os.MkdirTemp("", "einvoice-prove-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	for _, d := range []string{in, out} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, nil, err
		}
	}
	name := func(i int) string { return fmt.Sprintf("%06d.xml", i) }
	for i, d := range documents {
		if err := os.WriteFile(filepath.Join(in, name(i)), d, 0o600); err != nil {
			return nil, nil, err
		}
	}
	sheet, err = filepath.Abs(sheet)
	if err != nil {
		return nil, nil, err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "java", "-cp", filepath.Join(s.Jars, "*"), "net.sf.saxon.Transform", "-s:"+in, "-xsl:"+sheet, "-o:"+out)
	cmd.Stderr = &said
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	stops = stopsIn(said.String())
	verdicts = make([]fired, len(documents))
	read := 0
	for i := range documents {
		if _, stopped := stops[i]; stopped { // what it had written by then is not a verdict
			continue
		}
		data, missing := os.ReadFile(filepath.Join(out, name(i)))
		if errors.Is(missing, fs.ErrNotExist) {
			continue
		}
		if missing != nil {
			return nil, nil, missing
		}
		if verdicts[i] = readSVRL(data); verdicts[i] != nil {
			read++
		}
	}
	if err != nil && read == 0 && len(documents) > 0 {
		return nil, nil, fmt.Errorf("saxon cannot run %s: %w: %s", sheet, err, strings.TrimSpace(said.String()))
	}
	return verdicts, stops, nil
}

// A stop is why a stylesheet stopped, and the line of the expression.
type stop struct {
	why  string
	line int
}

var (
	stoppedAt = pattern.Later(`^\S.* on line ([0-9]+) column [0-9]+ of `)
	values    = pattern.Later(`\s*\([^()]*,.*$|"[^"]*"`) // what the document happened to have
)

// stopsIn reads why a stylesheet stopped, by document: Saxon says where, and then on what.
func stopsIn(said string) map[int]stop {
	out := map[int]stop{}
	line := 0
	for text := range strings.Lines(said) {
		if at := stoppedAt().FindStringSubmatch(text); at != nil && line == 0 {
			line, _ = strconv.Atoi(at[1])
			continue
		}
		rest, found := strings.CutPrefix(text, "While processing ")
		file, why, cut := strings.Cut(rest, ".xml: ")
		if n, err := strconv.Atoi(file); found && cut && err == nil {
			out[n] = stop{strings.Join(strings.Fields(values().ReplaceAllString(strings.TrimSpace(why), "")), " "), line}
			line = 0
		}
	}
	return out
}

// readSVRL reads the rules that fired; nil where the report ends early.
func readSVRL(data []byte) fired {
	out := fired{}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return nil
		}
		e, is := t.(xml.StartElement)
		if !is || e.Name.Local != "failed-assert" && e.Name.Local != "successful-report" {
			continue
		}
		id, level := "", engine.Fatal
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "id":
				id = a.Value
			case "flag", "role":
				level = levelOf(a.Value)
			}
		}
		if old, is := out[id]; !is || old != engine.Fatal {
			out[id] = level
		}
	}
}

func levelOf(flag string) engine.Level {
	switch strings.ToLower(flag) {
	case "warning", "warn":
		return engine.Warning
	case "information", "info":
		return engine.Information
	}
	return engine.Fatal
}
