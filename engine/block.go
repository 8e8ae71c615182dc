package engine

import (
	"io/fs"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// inBlock is a place in a text that is written as a block, over lines of its own. YAML
// takes indentation and, where it folds, ends of lines away, so that only the file says
// where in it the place is.
type inBlock struct {
	node         *yaml.Node // nil outside of blocks
	line, column int        // in the text, from 1
}

// PlaceInBlocks gives mistakes in blocks their lines and columns in the files.
func (l *Library) PlaceInBlocks(failures LoadErrors) {
	lines := map[string][]string{} // of files, each of which may have thousands of failures
	for i := range failures {
		e := &failures[i]
		if e.inBlock.node == nil {
			continue
		}
		if _, known := lines[e.File]; !known {
			data, _ := fs.ReadFile(l.fsys, e.File) // one that is gone has no lines
			lines[e.File] = strings.Split(string(data), "\n")
		}
		if len(lines[e.File]) > 1 {
			e.Line, e.Column = e.inBlock.place(lines[e.File])
		}
		e.inBlock = inBlock{}
	}
}

// place finds the place among the lines of the file. The lines of a block are in its text
// one after the other, as they are but for their indentation, with spaces or ends of lines
// between them.
func (b *inBlock) place(lines []string) (line, column int) {
	value := b.node.Value
	offset := b.offset()
	at := 0 // in the text
	for i := b.node.Line; i < len(lines); i++ {
		text := strings.TrimLeft(strings.TrimRight(lines[i], "\r"), " ")
		indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if text == "" {
			continue
		}
		pieces, found := findLine(value, at, text)
		if !found {
			break
		}
		last := pieces[len(pieces)-1]
		at = last.at + last.length
		if offset < at || offset <= at && at >= len(strings.TrimRight(value, " \n")) {
			return i + 1, indent + 1 + len([]rune(text[:inLine(pieces, offset)]))
		}
	}
	return b.node.Line, b.node.Column
}

// A piece is part of a line of the file, with its place in the text.
type piece struct{ in, at, length int }

// findLine finds a line of the file in a text, from a place on: as it is, but that each
// ${name} may be a value there. The pieces are what is between these.
func findLine(value string, at int, line string) (pieces []piece, found bool) {
	in := 0
	for {
		before, name, after, filled := cutPlaceholder(line)
		next := strings.Index(value[at:], before)
		if next < 0 {
			return nil, false
		}
		at += next
		pieces = append(pieces, piece{in, at, len(before)})
		if !filled {
			return pieces, true
		}
		at += len(before)
		in += len(before) + len("${"+name+"}")
		line = after
	}
}

// inLine is where in the line a place of the text is; one in a value is at its ${name}.
func inLine(pieces []piece, offset int) int {
	in := pieces[0].in
	for _, p := range pieces {
		if offset >= p.at {
			in = p.in + min(offset-p.at, p.length)
		}
	}
	return in
}

// offset is where the place is in the text, in bytes. Columns count characters.
func (b *inBlock) offset() int {
	lines := strings.SplitAfter(b.node.Value, "\n")
	if b.line > len(lines) {
		return len(b.node.Value)
	}
	before := len(strings.Join(lines[:b.line-1], ""))
	letters := slices.Clone([]rune(lines[b.line-1]))
	return before + len(string(letters[:min(b.column-1, len(letters))]))
}
