package verapdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"einvoice/formats/program"
)

// Limits of one run. veraPDF needs one to three seconds to start, and about a tenth of a
// second for a page.
const (
	maxTime   = time.Minute
	maxReport = 8 << 20
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
	if found := program.Find(candidates...); found != "" {
		return &Program{found}, nil
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
	out, err := program.Run(ctx, program.Command{
		Path: p.path, Args: []string{"--format", "xml", "--flavour", "0", "--defaultflavour", "3b", "--maxfailuresdisplayed", "1", "--loglevel", "0", file},
		Dir: dir, Output: maxReport, Time: maxTime,
	})
	var status *exec.ExitError
	switch {
	case errors.Is(err, program.ErrOutput):
		return nil, fmt.Errorf("the report of veraPDF has more than %d bytes", maxReport)
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("veraPDF was stopped: %w", err)
	case err != nil && !errors.As(err, &status):
		return nil, fmt.Errorf("run veraPDF: %w", err)
	}
	verdicts, unread := parse(out)
	// The exit status is also an error if the PDF does not comply, so it counts only if
	// there is no report.
	if errors.Is(unread, errNoReport) && err != nil {
		return nil, fmt.Errorf("run veraPDF: %w", err)
	}
	return verdicts, unread
}
