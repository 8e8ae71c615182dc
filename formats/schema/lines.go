package schema

import "strings"

// lines reads a file line by line, without what says nothing.
type lines struct {
	rest   string // what is left to read
	line   string // the current line without its indentation; empty at the end
	depth  int    // the number of tabs before it
	number int    // counted from 1
}

// advance goes to the next line that says something.
func (l *lines) advance() {
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
