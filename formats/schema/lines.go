package schema

import "strings"

// A lineReader reads a file line by line, without comments and empty lines.
type lineReader struct {
	rest   string // the text after the current line
	line   string // the current line without its indentation; empty at the end
	depth  int    // the number of tabs before it
	number int    // counted from 1
}

// advance reads the next line that is neither empty nor a comment.
func (l *lineReader) advance() {
	for l.rest != "" {
		l.number++
		line := l.rest
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line, l.rest = line[:end], line[end+1:]
		} else {
			l.rest = ""
		}
		l.depth = 0
		for l.depth < len(line) && line[l.depth] == '\t' {
			l.depth++
		}
		if l.line = line[l.depth:]; l.line != "" && l.line[0] != '#' {
			return
		}
	}
	l.line, l.depth = "", 0
}
