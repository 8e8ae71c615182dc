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

// placeInBlocks gives mistakes in blocks their lines and columns in the files.
func (l *Library) placeInBlocks(failures LoadErrors) {
	for i := range failures {
		e := &failures[i]
		if e.inBlock.node == nil {
			continue
		}
		if data, err := fs.ReadFile(l.fsys, e.File); err == nil {
			e.Line, e.Column = e.inBlock.place(strings.Split(string(data), "\n"))
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
		from := strings.Index(value[at:], text)
		if from < 0 {
			break
		}
		at += from
		if offset < at+len(text) || offset <= at+len(text) && at+len(text) >= len(strings.TrimRight(value, " \n")) {
			return i + 1, indent + 1 + len([]rune(value[at:max(offset, at)]))
		}
		at += len(text)
	}
	return b.node.Line, b.node.Column
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
