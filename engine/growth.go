package engine

import "gopkg.in/yaml.v3"

// Constants, the rows of a repeat and those of a table are written once and stand in many rules.
// What the rules come to is bounded: a file of 100 KB could come to gigabytes.
const (
	mostGrown = 16 << 20 // bytes of one file, or of the constants of a ruleset
	mostText  = 1 << 20  // bytes of one text with constants
	nodeGrown = 200      // bytes of a node that is made
	stepGrown = 1 << 20  // bytes that are asked for at a time
)

// A growth is what the rules of a file may still come to.
type growth struct {
	grown, asked int
	over         bool
	library      *Library // nil where nobody bounds its memory
}

// take counts bytes of rules that are made; false where there are too many.
func (g *growth) take(bytes int) bool {
	g.grown += bytes
	if g.grown > mostGrown {
		g.over = true
	}
	if g.library != nil && !g.over && g.grown > g.asked {
		g.asked += stepGrown
		g.over = g.library.pay(stepGrown) != nil
	}
	return !g.over
}

// mistake says at a node that rules come to too much.
func (g *growth) mistake(file string, n *yaml.Node) LoadError {
	return LoadError{File: file, Line: n.Line, Column: n.Column, Message: "written out, with constants, repeats and tables, the rules come to more than 16 MB, or one text to more than 1 MB: shorten the texts that stand in many of them, or divide the file"}
}

// fillText replaces each ${name} that has a value, until there is too much.
func (g *growth) fillText(text string, values map[string]string) string {
	own := len(text)
	return FillConstants(text, func(name string) (string, bool) {
		value, known := values[name]
		if own += len(value); known && own > mostText {
			g.over = true
		}
		return value, known && g.take(len(value))
	})
}
