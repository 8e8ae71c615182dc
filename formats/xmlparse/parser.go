package xmlparse

import (
	"strings"
	"sync"

	"einvoice/model/problem"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

// A parser parses one document. Its methods take the offset to read from, and return
// the offset after what they read, or -1 after p.fail.
type parser struct {
	s      string
	limits Limits
	tree   *source.Tree
	err    *problem.Error

	open  []openElement
	attrs []attribute // of the start tag being read
	names nameTable

	// What rarely occurs is searched for in the whole text first, so that it need not
	// be searched for in every piece of text.
	hasReturn, hasReference, hasCDATAEnd bool

	// textBuf collects character data that consists of several pieces, because comments,
	// processing instructions or CDATA sections are in between. buffering is true from
	// the first piece on, which may be empty.
	textBuf   []byte
	buffering bool
	// mixed are the texts between child elements, of all open elements.
	mixed []string
}

// An openElement is an element whose end tag has not been read yet.
type openElement struct {
	raw   string // its name as written
	node  source.Node
	outer namespaceState // outside the element
	mixed int            // where its texts begin in parser.mixed
}

// parsers keeps the working memory of finished parsers.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// reset makes the parser ready for another document. Nothing of the last one is kept but
// interned names, and working memory only up to what an ordinary document needs.
func (p *parser) reset() {
	p.s, p.tree, p.err = "", nil, nil
	p.open = reuse.Emptied(p.open, mostWorking)
	p.attrs = reuse.Emptied(p.attrs, mostWorking)
	p.mixed = reuse.Emptied(p.mixed, mostWorking)
	p.textBuf, p.buffering = reuse.Emptied(p.textBuf, mostWorking), false
	p.names.reset()
}

// mostWorking is how many elements working memory has room for that the next document uses.
const mostWorking = 4096

func (p *parser) parse(text string, limits Limits) (*source.Tree, *problem.Error) {
	p.s, p.limits = text, limits
	if at := findBadCharacter(text); at >= 0 {
		p.failCharacter(at)
		return nil, p.err
	}
	p.hasReturn = strings.IndexByte(text, '\r') >= 0
	p.hasReference = strings.IndexByte(text, '&') >= 0
	p.hasCDATAEnd = strings.Contains(text, "]]>")
	p.tree = newTree(text, limits)
	p.names.prepare()

	i := p.prolog()
	if i >= 0 {
		i = p.startTag(i)
	}
	if i >= 0 && len(p.open) > 0 {
		i = p.content(i)
	}
	if i >= 0 {
		i = p.misc(i)
	}
	if i >= 0 && i < len(text) {
		p.failTrailing(i)
	}
	return p.tree, p.err
}

// newTree allocates the slices by the number of "<" and "=" in the text, but not more
// than an ordinary text of its length needs.
func newTree(text string, limits Limits) *source.Tree {
	const bytesEach = 24 // of text, for an element or an attribute
	most := len(text)/bytesEach + 8
	return source.NewTree(text, min(strings.Count(text, "<")/2+8, most, limits.Elements+1), min(strings.Count(text, "="), most))
}

// content reads from the root's start tag to its end tag.
func (p *parser) content(i int) int {
	s := p.s
	for {
		start := i
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		blank := true
		if i < len(s) && s[i] != '<' {
			blank = false
			n := strings.IndexByte(s[i:], '<')
			if n < 0 {
				return p.failUnclosed()
			}
			i += n
		}
		if i+1 >= len(s) {
			return p.failUnclosed()
		}
		switch s[i+1] {
		case '/':
			if !p.closeElement(start, i, blank) {
				return -1
			}
			if i = p.endTag(i); i < 0 || len(p.open) == 0 {
				return i
			}
		case '!', '?':
			if !p.appendText(s[start:i], start) {
				return -1
			}
			i = p.specialMarkup(i)
		default:
			if (!blank || p.buffering) && !p.addMixedText(start, i) {
				return -1
			}
			i = p.startTag(i)
		}
		if i < 0 {
			return -1
		}
	}
}

// startTag reads a start tag or an empty-element tag.
func (p *parser) startTag(i int) int {
	s := p.s
	k := i + 1
	for k < len(s) && byteClass[s[k]]&nameByte != 0 {
		k++
	}
	raw := s[i+1 : k]
	if raw == "" || k == len(s) {
		return p.failTag(i, k)
	}
	f := openElement{raw: raw, node: source.Node(len(p.tree.Elements)), outer: p.names.current, mixed: len(p.mixed)}
	if int(f.node) > p.limits.Elements {
		return p.failLimit(i, "elements in the document", p.limits.Elements)
	}
	if len(p.open) == p.limits.Depth {
		return p.failLimit(i, "elements inside one another", p.limits.Depth)
	}
	e := source.Element{Offset: int32(i), FirstAttr: source.Attr(len(p.tree.Attributes))}
	if len(p.open) > 0 {
		e.Parent = p.open[len(p.open)-1].node
	}
	empty := false
	if s[k] == '>' {
		k++
	} else {
		if k, empty = p.attributes(k, f.node); k < 0 {
			return -1
		}
		e.Attrs = uint16(len(p.tree.Attributes) - int(e.FirstAttr))
	}
	if e.Name = p.name(raw, i+1, ofElement); e.Name == source.NoName {
		return -1
	}
	if empty {
		e.End = f.node + 1
		p.names.leave(f.outer)
	} else {
		p.open = append(p.open, f)
	}
	p.tree.Elements = append(p.tree.Elements, e)
	return k
}

// endTag reads the end tag of the innermost open element, and closes the element.
func (p *parser) endTag(i int) int {
	s := p.s
	f := &p.open[len(p.open)-1]
	k := i + 2 + len(f.raw)
	if k >= len(s) || s[i+2:k] != f.raw || byteClass[s[k]]&nameByte != 0 {
		return p.failMismatch(i)
	}
	for s[k] != '>' {
		if !isSpace(s[k]) {
			return p.fail(CodeSyntax, k, "unexpected "+quoteAt(s, k)+" in an end tag", "an end tag has a name and nothing else")
		}
		if k++; k == len(s) {
			return p.failUnclosed()
		}
	}
	p.tree.Elements[f.node].End = source.Node(len(p.tree.Elements))
	p.names.leave(f.outer)
	p.open = p.open[:len(p.open)-1]
	return k + 1
}
