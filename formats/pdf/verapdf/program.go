package verapdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Limits of one run. veraPDF needs one to three seconds to start, and about a tenth of a
// second for a page.
const (
	maxTime   = time.Minute
	maxReport = 8 << 20
	maxErrors = 4 << 10
	grace     = time.Second // to end after it was told to
)

// installed is where make verapdf puts the program.
var installed = filepath.Join("bin", "verapdf", "verapdf")

// A Program is an installed veraPDF. Several goroutines may use it at a time.
type Program struct{ path string }

// usualName is the program's name.
const usualName = "verapdf"

// Find searches the program: at a path, or by its name on the PATH. By its usual name it
// is also found where make verapdf installs it.
func Find(path string) (*Program, error) {
	candidates := []string{path}
	if path == usualName {
		candidates = append(candidates, installed)
	}
	for _, c := range candidates {
		found, err := exec.LookPath(c)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			continue
		}
		if found, err = filepath.Abs(found); err == nil {
			return &Program{found}, nil
		}
	}
	return nil, fmt.Errorf("the program veraPDF is not there (looked for %s); install it with make verapdf or from verapdf.org, or give the path of its program", strings.Join(candidates, " and "))
}

// Check validates a PDF as everything that it claims to be: PDF/A, and possibly PDF/UA.
// One that claims nothing is validated as PDF/A-3b.
func (p *Program) Check(ctx context.Context, data []byte) ([]Verdict, error) {
	dir, err := os.MkdirTemp("", "verapdf-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for veraPDF: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "document.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, fmt.Errorf("write a copy for veraPDF: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	report, messages := limitedBuffer{limit: maxReport, exceeded: cancel}, limitedBuffer{limit: maxErrors, exceeded: func() {}}
	cmd := exec.CommandContext(ctx, p.path, "--format", "xml", "--flavour", "0", "--defaultflavour", "3b", "--maxfailuresdisplayed", "1", "--loglevel", "0", file)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &report, &messages, grace
	endWithChildren(cmd)
	err = cmd.Run()
	switch {
	case report.full:
		return nil, fmt.Errorf("the report of veraPDF has more than %d bytes", maxReport)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("veraPDF was stopped: %w", ctx.Err())
	}
	verdicts, unread := parse(report.content.Bytes())
	// The exit status is also an error if the PDF does not comply, so it counts only if
	// there is no report.
	if errors.Is(unread, errNoReport) && err != nil {
		return nil, fmt.Errorf("run veraPDF: %w: %s", err, lastLine(messages.content.String()))
	}
	return verdicts, unread
}

// lastLine is the last line of a text.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// A limitedBuffer stores what is written to it up to a limit, and discards the rest. The
// bytes.Buffer is not embedded: its method ReadFrom has no limit.
type limitedBuffer struct {
	content  bytes.Buffer
	limit    int
	exceeded func() // called once, when the limit is exceeded
	full     bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	room := max(b.limit-b.content.Len(), 0)
	if len(p) > room && !b.full {
		b.full = true
		b.exceeded()
	}
	b.content.Write(p[:min(len(p), room)])
	return len(p), nil
}
