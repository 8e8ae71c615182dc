package xmlparse

import (
	"strconv"
	"strings"
)

// closeElement sets the text of the innermost open element. The character data before
// its end tag is s[start:end].
func (p *parser) closeElement(start, end int, blank bool) bool {
	f := &p.open[len(p.open)-1]
	if int(f.node) == len(p.tree.Elements)-1 { // no children
		if start < end || p.buffering {
			if piece := p.s[start:end]; !p.buffering && p.isPlain(piece) && len(piece) <= p.limits.TextBytes {
				p.tree.SetText(f.node, start, end)
				return true
			}
			text, ok := p.text(start, end)
			p.tree.MakeText(f.node, text)
			return ok
		}
		return true
	}
	if (!blank || p.buffering) && !p.addMixedText(start, end) {
		return false
	}
	if texts := p.mixed[f.mixed:]; len(texts) > 0 {
		size := 0
		for _, t := range texts {
			size += len(t)
		}
		if size > p.limits.TextBytes {
			return p.failLimit(start, "bytes of text in one element", p.limits.TextBytes) >= 0
		}
		p.tree.MakeText(f.node, strings.Join(texts, ""))
		p.mixed = p.mixed[:f.mixed]
	}
	return true
}

// addMixedText adds the text between two tags of an element with children, unless it is
// only white space.
func (p *parser) addMixedText(start, end int) bool {
	if p.buffering { // often only comments and line breaks, for which no string is needed
		if !p.appendText(p.s[start:end], start) {
			return false
		}
		if isBlank(p.textBuf) {
			p.textBuf, p.buffering = p.textBuf[:0], false
			return true
		}
		start = end
	}
	text, ok := p.text(start, end)
	if ok && !isBlank(text) {
		p.mixed = append(p.mixed, text)
	}
	return ok
}

// text is the collected character data followed by s[start:end].
func (p *parser) text(start, end int) (string, bool) {
	piece := p.s[start:end]
	if !p.buffering && p.isPlain(piece) {
		if len(piece) > p.limits.TextBytes {
			return "", p.failLimit(start, "bytes of text in one element", p.limits.TextBytes) >= 0
		}
		return piece, true
	}
	if !p.appendText(piece, start) {
		return "", false
	}
	text := string(p.textBuf)
	p.textBuf, p.buffering = p.textBuf[:0], false
	return text, true
}

// appendText appends one piece of character data to textBuf.
func (p *parser) appendText(piece string, at int) bool {
	p.buffering = true
	if p.isPlain(piece) {
		p.textBuf = append(p.textBuf, piece...)
	} else {
		if n := strings.Index(piece, "]]>"); n >= 0 {
			return p.fail(CodeSyntax, at+n, "\"]]>\" in text", "write \"]]&gt;\"") >= 0
		}
		for i := 0; i < len(piece); {
			switch piece[i] {
			case '&':
				r, size := p.reference(at + i)
				if size == 0 {
					return false
				}
				p.textBuf = append(p.textBuf, r...)
				i += size
			case '\r':
				p.textBuf = append(p.textBuf, '\n')
				i++
				if i < len(piece) && piece[i] == '\n' {
					i++
				}
			default:
				n := strings.IndexAny(piece[i:], "&\r")
				if n < 0 {
					n = len(piece) - i
				}
				p.textBuf = append(p.textBuf, piece[i:i+n]...)
				i += n
			}
		}
	}
	if len(p.textBuf) > p.limits.TextBytes {
		return p.failLimit(at, "bytes of text in one element", p.limits.TextBytes) >= 0
	}
	return true
}

// isPlain reports whether character data is used as it is written.
func (p *parser) isPlain(piece string) bool {
	return !(p.hasReference && strings.IndexByte(piece, '&') >= 0 ||
		p.hasReturn && strings.IndexByte(piece, '\r') >= 0 ||
		p.hasCDATAEnd && strings.Contains(piece, "]]>"))
}

// value normalizes an attribute value: line ends and tabs become spaces, and
// references are replaced.
func (p *parser) value(raw string, at int) (string, bool) {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '&':
			r, size := p.reference(at + i)
			if size == 0 {
				return "", false
			}
			b.WriteString(r)
			i += size - 1
		case '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
			b.WriteByte(' ')
		case '\t', '\n':
			b.WriteByte(' ')
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String(), true
}

// reference resolves the reference at offset i, and returns its length in the source,
// or 0 after an error.
func (p *parser) reference(i int) (text string, size int) {
	const longest = 64 // leading zeros are allowed in a character reference
	name, _, ok := strings.Cut(p.s[i+1:min(len(p.s), i+longest)], ";")
	size = len(name) + 2
	if ok {
		switch name {
		case "lt":
			return "<", size
		case "gt":
			return ">", size
		case "amp":
			return "&", size
		case "apos":
			return "'", size
		case "quot":
			return "\"", size
		}
		if digits, isNumber := strings.CutPrefix(name, "#"); isNumber {
			base := 10
			if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
				digits, base = hex, 16
			}
			n, err := strconv.ParseUint(digits, base, 32)
			if err == nil && n <= 0x10FFFF && isCharacter(rune(n)) {
				return string(rune(n)), size
			}
			p.fail(CodeSyntax, i, "\"&"+name+";\" is not a character of XML", "leave the character out")
			return "", 0
		}
		if IsNCName(name) {
			p.fail(CodeEntity, i, "unknown entity \"&"+name+";\"", "write the character itself, or a reference such as &#228;")
			return "", 0
		}
	}
	p.fail(CodeSyntax, i, "\"&\" that begins no reference", "write \"&amp;\"")
	return "", 0
}
