package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"einvoice/formats/pdf/text"
	"einvoice/formats/program"
)

// Bounds of one page. Tesseract takes one to three seconds for one.
const (
	pageTime  = time.Minute
	maxOutput = 16 << 20
	listTime  = 10 * time.Second
)

// Tesseract's ways to look for text: sparse looks anywhere, and finds more of the narrow
// columns of tables than others do; block takes the page for rows of text, and finds the
// short numbers, such as quantities, that sparse takes for specks.
const (
	sparse = "11"
	block  = "6"
)

// wanted are the languages that are used where they are installed and none are named, by
// Tesseract's names. Each takes time, so they are few.
var wanted = []string{"eng", "deu", "fra"}

// A Program is an installed Tesseract. Several goroutines may use it; as many pages as
// there are processors are read at a time.
type Program struct {
	path  string
	turns chan struct{}

	mu        sync.Mutex
	languages string
	checked   bool
}

// Find finds Tesseract: a path or a name on the PATH. The languages are Tesseract's
// names with plus signs between; without any, those of English, German and French that
// are installed.
func Find(path, languages string) (*Program, error) {
	found := program.Find(path)
	if found == "" {
		return nil, fmt.Errorf("the program Tesseract is not there (looked for %s); install it (Debian's package tesseract-ocr), or give the path of its program", path)
	}
	return &Program{path: found, languages: languages, turns: make(chan struct{}, max(runtime.GOMAXPROCS(0), 1))}, nil
}

// Check asks Tesseract whether it has the languages. Words does so before its first page.
func (p *Program) Check(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checked {
		return nil
	}
	out, err := program.Run(ctx, program.Command{Path: p.path, Args: []string{"--list-langs"}, Output: maxOutput, Time: listTime})
	if err != nil {
		return fmt.Errorf("ask Tesseract for its languages: %w", err)
	}
	installed := strings.Fields(string(out))
	if p.languages == "" {
		p.languages = strings.Join(slices.DeleteFunc(slices.Clone(wanted), func(l string) bool { return !slices.Contains(installed, l) }), "+")
	}
	for _, l := range strings.Split(p.languages, "+") {
		if !slices.Contains(installed, l) {
			return fmt.Errorf("the program Tesseract lacks the language %q; install it (Debian's package tesseract-ocr-%s), or name others", l, l)
		}
	}
	p.checked = true
	return nil
}

// Words recognises the words of a picture of a page, whose resolution is in pixels per
// inch. The boxes are in points from the top left corner.
func (p *Program) Words(ctx context.Context, picture *image.Gray, dpi int) ([]text.Word, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return wordsIn(ctx, p.read, strings.Split(p.languages, "+"), picture, dpi)
}

// A reader recognises a picture in one or more languages, with plus signs between, and in
// a way to look for text, and returns Tesseract's output.
type reader func(ctx context.Context, picture *image.Gray, dpi int, languages, way string) ([]byte, error)

// read runs Tesseract.
func (p *Program) read(ctx context.Context, picture *image.Gray, dpi int, languages, way string) ([]byte, error) {
	var input bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&input, picture); err != nil {
		return nil, fmt.Errorf("write the picture for Tesseract: %w", err)
	}
	out, err := program.Run(ctx, program.Command{
		Path: p.path, Args: []string{"-", "-", "-l", languages, "--dpi", fmt.Sprint(dpi), "--psm", way, "tsv"},
		Env: []string{"OMP_THREAD_LIMIT=1"}, Input: &input, Output: maxOutput, Time: pageTime,
	})
	if status := (*exec.ExitError)(nil); errors.As(err, &status) {
		return nil, fmt.Errorf("the program Tesseract failed: %w", err)
	}
	return out, err
}

// Off is the path that means no program.
const Off = "none"

// Choose is Find for a setting: without a path, Tesseract is used where it is on the
// PATH; with Off it is not. The Program is nil where there is none.
func Choose(ctx context.Context, path, languages string) (*Program, error) {
	switch path {
	case Off:
		return nil, nil
	case "":
		p, err := Find("tesseract", languages)
		if err != nil {
			return nil, nil
		}
		return p, nil
	}
	p, err := Find(path, languages)
	if err != nil {
		return nil, err
	}
	return p, p.Check(ctx)
}
