// Package program runs other programs, bounded in time and output.
//
//	path := program.Find("tesseract") // "" if it is not there
//	out, err := program.Run(ctx, program.Command{Path: path, Args: []string{"--version"}, Output: 1 << 10, Time: time.Second})
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// grace is how long a program has to end after it was told to.
const grace = time.Second

// maxErrors is how many bytes of a program's messages are kept.
const maxErrors = 4 << 10

// ErrOutput is the error of a program that writes more than Command.Output.
var ErrOutput = errors.New("the program writes more than is read")

// Find is the absolute path of the first of some programs that is there: each is a path,
// or a name that is looked for on the PATH. It is empty if none is.
func Find(candidates ...string) string {
	for _, c := range candidates {
		found, err := exec.LookPath(c)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			continue
		}
		if found, err = filepath.Abs(found); err == nil {
			return found
		}
	}
	return ""
}

// A Command is a program with what it is given.
type Command struct {
	Path   string
	Args   []string
	Env    []string // added to that of this process
	Dir    string
	Input  io.Reader
	Output int           // most bytes of standard output
	Time   time.Duration // for all of it
}

// Run runs a program and returns its standard output. An exit status that is not 0 is an
// *exec.ExitError within the error, which has the last line of its messages; the output
// is returned anyway. What the program started ends with it.
func Run(ctx context.Context, c Command) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	out, messages := limitedBuffer{limit: c.Output, exceeded: cancel}, limitedBuffer{limit: maxErrors, exceeded: func() {}}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Dir, c.Input, &out, &messages, grace
	if len(c.Env) > 0 {
		cmd.Env = append(cmd.Environ(), c.Env...)
	}
	endWithChildren(cmd)
	err := cmd.Run()
	switch {
	case out.full:
		return nil, ErrOutput
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return out.content.Bytes(), fmt.Errorf("%w: %s", err, lastLine(messages.content.String()))
	}
	return out.content.Bytes(), nil
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
