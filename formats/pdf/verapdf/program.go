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

// What one run may cost. A page takes veraPDF about a tenth of a second, its start
// one to three seconds.
const (
	mostTime   = time.Minute
	mostReport = 8 << 20
	mostErrors = 4 << 10
	grace      = time.Second // to end, once it is told to
)

// installed is where make verapdf puts the program.
var installed = filepath.Join("bin", "verapdf", "verapdf")

// A Program is veraPDF as it is installed. Any number of goroutines may use it.
type Program struct{ path string }

// usual is the program's name.
const usual = "verapdf"

// Find looks for the program: at a path, or under a name on the PATH. Under its
// usual name it is also found where make verapdf installs it.
func Find(path string) (*Program, error) {
	candidates := []string{path}
	if path == usual {
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

// Check has a PDF judged as everything that it claims to be: PDF/A, and PDF/UA
// perhaps; one that claims nothing, as PDF/A-3b.
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
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	report, said := bounded{limit: mostReport, full: cancel}, bounded{limit: mostErrors, full: func() {}}
	cmd := exec.CommandContext(ctx, p.path, "--format", "xml", "--flavour", "0", "--defaultflavour", "3b", "--maxfailuresdisplayed", "1", "--loglevel", "0", file)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &report, &said, grace
	endTogether(cmd)
	err = cmd.Run()
	switch {
	case report.over:
		return nil, fmt.Errorf("the report of veraPDF has more than %d bytes", mostReport)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("veraPDF was stopped: %w", ctx.Err())
	}
	verdicts, unread := parse(report.kept.Bytes())
	// The exit status says too what was found, and is asked only where there is no
	// report.
	if errors.Is(unread, errNoReport) && err != nil {
		return nil, fmt.Errorf("run veraPDF: %w: %s", err, lastLine(said.kept.String()))
	}
	return verdicts, unread
}

// lastLine is what a program said last.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// bounded keeps what is written to it up to a limit, tells when that is reached,
// and swallows the rest. The buffer is no part of its interface: it would read
// without a limit.
type bounded struct {
	kept  bytes.Buffer
	limit int
	full  func()
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := max(b.limit-b.kept.Len(), 0)
	if len(p) > room && !b.over {
		b.over = true
		b.full()
	}
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}
