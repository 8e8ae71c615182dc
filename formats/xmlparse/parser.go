package xmlparse

import (
	"context"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
	"unsafe"

	"einvoice/model/problem"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

// A parser parses one document. Its methods take the offset to read from, and return
// the offset after what they read, or -1 after p.fail.
type parser struct {
	s      string
	limits Limits
	ctx    context.Context
	look   source.Node // the element at which the limit on them and the context are looked at
	tree   *source.Tree
	err    *problem.Error

	open  []openElement
	ended int32       // the entry of the name of the element before, in the same element; 0 if there is none
	attrs []attribute // of the start tag being read
	names nameTable

	// What rarely occurs is searched for in the whole text first, so that it need not
	// be searched for in every piece of text.
	hasReturn, hasReference, hasCDATAEnd bool

	// textBuf collects character data that consists of several pieces, because comments,
	// processing instructions or CDATA sections are in between. buffering is true from
	// the first piece on, which may be empty; with indents, all pieces so far are white space
	// around comments and instructions.
	textBuf            []byte
	buffering, indents bool
	// mixed are the texts between child elements, of all open elements.
	mixed []string
}

// An openElement is an element whose end tag has not been read yet.
type openElement struct {
	raw   string // its name as written
	node  source.Node
	outer namespaceState // outside the element
	mixed int32          // where its texts begin in parser.mixed
	entry int32          // of its name in nameTable
}

// parsers keeps the working memory of finished parsers.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// reset makes the parser ready for another document. Nothing of the last one is kept but
// interned names, and working memory only up to what an ordinary document needs.
func (p *parser) reset() {
	p.s, p.ctx, p.tree, p.err = "", nil, nil, nil
	p.open, p.ended = reuse.Emptied(p.open, mostWorking), 0
	p.attrs = reuse.Emptied(p.attrs, mostWorking)
	p.mixed = reuse.Emptied(p.mixed, mostWorking)
	p.textBuf, p.buffering = reuse.Emptied(p.textBuf, mostWorking), false
	p.names.reset()
}

// mostWorking is how many elements working memory has room for that the next document uses.
const mostWorking = 4096

// elementsPerLook is how many elements are read between two looks at the context.
const elementsPerLook = 1 << 12

func (p *parser) parse(ctx context.Context, text string, limits Limits) (*source.Tree, *problem.Error) {
	p.s, p.ctx, p.limits, p.look = text, ctx, limits, 0
	if !isUnicode(text) {
		p.failCharacter(findBadCharacter(text))
		return nil, p.err
	}
	p.hasReturn = strings.IndexByte(text, '\r') >= 0
	p.hasReference = strings.IndexByte(text, '&') >= 0
	bracket := strings.IndexByte(text, ']') // found sooner than three bytes, and rare
	p.hasCDATAEnd = bracket >= 0 && strings.Contains(text[bracket:], "]]>")
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
	if p.err != nil { // what is no character is said before anything else
		if at := findBadCharacter(text); at >= 0 {
			p.failCharacter(at)
		}
	}
	return p.tree, p.err
}

// newTree allocates what an ordinary text of its length needs; the slices grow where a text
// has more elements or attributes.
func newTree(text string, limits Limits) *source.Tree {
	const element, attribute = 64, 256 // bytes of text for each
	return source.NewTree(text, min(len(text)/element+8, limits.Elements+1), len(text)/attribute+8)
}

// content reads from the root's start tag to its end tag.
func (p *parser) content(i int) int {
	s := p.s
	for {
		start := i
		i = p.afterSpace(i)
		blank := true
		if i < len(s) && s[i] != '<' {
			blank = false
			i = nextSpecial(s, i, '<')
		}
		if i+1 >= len(s) || s[i] != '<' { // or a control character, which is said in the end
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
			p.indents = blank && (p.indents || !p.buffering)
			if !p.appendText(s[start:i], start) {
				return -1
			}
			i = p.specialMarkup(i)
		default:
			if p.buffering && p.indents && blank { // of comments and what indents them, no text is made
				p.textBuf, p.buffering = p.textBuf[:0], false
			} else if (!blank || p.buffering) && !p.addMixedText(start, i) {
				return -1
			}
			i = p.startTag(i)
		}
		if i < 0 {
			return -1
		}
	}
}

// afterSpace is the first offset from i on that is not white space. Blanks, which indent
// elements, are passed eight at a time.
func (p *parser) afterSpace(i int) int {
	s, b := p.s, unsafe.Slice(unsafe.StringData(p.s), len(p.s))
	for i < len(s) && isSpace(s[i]) {
		for i++; i+8 <= len(s); {
			blanks := bits.TrailingZeros64(binary.LittleEndian.Uint64(b[i:])^' '*ones) / 8
			if i += blanks; blanks < 8 {
				break
			}
		}
	}
	return i
}

// rawName is the name that is written from i on. If it is the likely one, its letters need
// not be looked at one by one.
func (p *parser) rawName(i int, likely string) (raw string, isLikely bool) {
	s := p.s
	if k := i + len(likely); k < len(s) && s[i:k] == likely && byteClass[s[k]]&nameByte == 0 {
		return s[i:k], true
	}
	k := i
	for k < len(s) && byteClass[s[k]]&nameByte != 0 {
		k++
	}
	return s[i:k], false
}

// startTag reads a start tag or an empty-element tag.
func (p *parser) startTag(i int) int {
	s := p.s
	around, parent := int32(0), source.Node(0)
	if n := len(p.open); n > 0 {
		around, parent = p.open[n-1].entry, p.open[n-1].node
	}
	guess := p.names.elementGuess(around, p.ended)
	likely := p.names.spelling(*guess)
	raw, isLikely := p.rawName(i+1, likely)
	k := i + 1 + len(raw)
	if raw == "" || k == len(s) {
		return p.failTag(i, k)
	}
	node, outer, first := source.Node(len(p.tree.Elements)), p.names.current, source.Attr(len(p.tree.Attributes))
	if node >= p.look && !p.mayGoOn(node, i) {
		return -1
	}
	if len(p.open) == p.limits.Depth {
		return p.failLimit(i, "elements inside one another", p.limits.Depth)
	}
	attributes, empty := uint16(0), false
	if s[k] == '>' {
		k++
	} else {
		if k, empty = p.attributes(k, node); k < 0 {
			return -1
		}
		attributes = uint16(len(p.tree.Attributes) - int(first))
	}
	name := source.NoName
	if isLikely {
		name = p.names.guessed(likely, *guess)
	}
	if name == source.NoName {
		if name = p.name(raw, i+1, ofElement, guess); name == source.NoName {
			return -1
		}
	}
	p.tree.Elements = append(p.tree.Elements, source.Element{Name: name, Parent: parent, Offset: int32(i), FirstAttr: first, Attrs: attributes})
	if empty {
		p.tree.Elements[node].End = node + 1
		p.names.leave(outer)
		p.ended = *guess
	} else {
		p.open = append(p.open, openElement{raw: raw, node: node, outer: outer, mixed: int32(len(p.mixed)), entry: *guess})
		p.ended = 0
	}
	return k
}

// mayGoOn looks at the limit on elements and at the context before an element, which begins at
// i, and says when to look again.
func (p *parser) mayGoOn(node source.Node, i int) bool {
	if int(node) > p.limits.Elements {
		return p.failLimit(i, "elements in the document", p.limits.Elements) >= 0
	}
	if err := p.ctx.Err(); err != nil {
		p.fail(CodeLimit, i, "reading the document takes too long", "split the document")
		p.err.Cause = err
		return false
	}
	p.look = min(node+elementsPerLook, source.Node(p.limits.Elements)+1)
	return true
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
	p.ended = f.entry
	p.open = p.open[:len(p.open)-1]
	return k + 1
}
