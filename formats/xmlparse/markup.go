package xmlparse

import (
	"strings"

	"einvoice/model/quote"
)

// prolog reads everything before the root element, and returns the offset of that.
func (p *parser) prolog() int {
	i := 0
	if strings.HasPrefix(p.s, "<?xml") && len(p.s) > 5 && isSpace(p.s[5]) {
		if i = p.declaration(5); i < 0 {
			return -1
		}
	}
	if i = p.misc(i); i < 0 {
		return -1
	}
	switch {
	case i == len(p.s):
		return p.fail(CodeSyntax, i, "the document has no root element", "send the whole document")
	case p.s[i] != '<':
		return p.fail(CodeSyntax, i, "text before the root element", "remove it")
	}
	return i
}

// misc reads the white space, comments and processing instructions before or after
// the root element.
func (p *parser) misc(i int) int {
	for i >= 0 {
		for i < len(p.s) && isSpace(p.s[i]) {
			i++
		}
		switch rest := p.s[i:]; {
		case strings.HasPrefix(rest, "<?"):
			i = p.instruction(i)
		case strings.HasPrefix(rest, "<![CDATA["):
			return p.fail(CodeSyntax, i, "a CDATA section outside the root element", "remove it")
		case strings.HasPrefix(rest, "<!"):
			i = p.specialMarkup(i)
		default:
			return i
		}
	}
	return i
}

// specialMarkup reads a comment, a CDATA section or a processing instruction.
func (p *parser) specialMarkup(i int) int {
	rest := p.s[i:]
	switch {
	case rest[1] == '?':
		return p.instruction(i)
	case strings.HasPrefix(rest, "<!--"):
		return p.comment(i)
	case strings.HasPrefix(rest, "<![CDATA["):
		return p.cdata(i)
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		return p.fail(CodeDoctype, i, "a document type declaration", "remove the declaration; for security no entity or external file is ever read")
	}
	return p.fail(CodeSyntax, i, "\"<!\" that begins neither a comment nor a CDATA section", "write \"&lt;!\" in text")
}

func (p *parser) comment(i int) int {
	end := i + len("<!--")
	for {
		end = nextSpecial(p.s, end, '-')
		switch rest := p.s[end:]; {
		case strings.HasPrefix(rest, "-->"):
			return end + len("-->")
		case strings.HasPrefix(rest, "--"):
			return p.fail(CodeSyntax, end, "\"--\" within a comment", "write \"- -\"")
		case rest == "" || rest[0] != '-':
			return p.fail(CodeSyntax, i, "a comment is not closed", "close it with \"-->\"")
		}
		end++
	}
}

func (p *parser) cdata(i int) int {
	start := i + len("<![CDATA[")
	n := strings.Index(p.s[start:], "]]>")
	if n < 0 {
		return p.fail(CodeSyntax, i, "a CDATA section is not closed", "close it with \"]]>\"")
	}
	text := p.s[start : start+n]
	if hasControl(text) {
		return p.failCharacter(findBadCharacter(p.s))
	}
	if p.hasReturn {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	p.indents = false
	if p.textBuf = append(p.textBuf, text...); len(p.textBuf) > p.limits.TextBytes {
		return p.failLimit(i, "bytes of text in one element", p.limits.TextBytes)
	}
	return start + n + len("]]>")
}

func (p *parser) instruction(i int) int {
	s := p.s
	k := i + 2
	for k < len(s) && byteClass[s[k]]&nameByte != 0 {
		k++
	}
	target := s[i+2 : k]
	n := strings.Index(s[k:], "?>")
	switch {
	case i == 0 && target == "xml":
		return p.fail(CodeSyntax, i, "an XML declaration without a version", declarationRemedy)
	case strings.EqualFold(target, "xml"):
		return p.fail(CodeSyntax, i, "an XML declaration that is not at the very start", "move \"<?xml ...?>\" to the first character of the document, or remove it")
	case !IsNCName(target):
		return p.fail(CodeSyntax, i, quote.Value(target)+" is not a name for a processing instruction", "write \"&lt;?\" in text")
	case n < 0:
		return p.fail(CodeSyntax, i, "a processing instruction is not closed", "close it with \"?>\"")
	case hasControl(s[k : k+n]):
		return p.failCharacter(findBadCharacter(s))
	case n > 0 && !isSpace(s[k]):
		return p.fail(CodeSyntax, k, "unexpected "+quoteAt(s, k)+" after "+quote.Value(target), "separate the name of a processing instruction from its text by white space")
	}
	return k + n + len("?>")
}

const declarationRemedy = "write <?xml version=\"1.0\" encoding=\"UTF-8\"?>"

// declaration reads the XML declaration after "<?xml". Its encoding has been checked
// before, by decode.
func (p *parser) declaration(i int) int {
	start := i
	version, i := p.pseudoAttribute(i, "version")
	if i < 0 {
		return p.fail(CodeSyntax, start, "an XML declaration without a version", declarationRemedy)
	}
	if version != "1.0" {
		return p.fail(CodeSyntax, start, "XML version "+quote.Value(version)+" is not supported", declarationRemedy)
	}
	if name, k := p.pseudoAttribute(i, "encoding"); k >= 0 {
		if !isEncodingName(name) {
			return p.fail(CodeEncoding, i, quote.Value(name)+" is not a name of an encoding", declarationRemedy)
		}
		i = k
	}
	if value, k := p.pseudoAttribute(i, "standalone"); k >= 0 {
		if value != "yes" && value != "no" {
			return p.fail(CodeSyntax, i, "standalone must be \"yes\" or \"no\"", declarationRemedy)
		}
		i = k
	}
	for i < len(p.s) && isSpace(p.s[i]) {
		i++
	}
	if !strings.HasPrefix(p.s[i:], "?>") {
		return p.fail(CodeSyntax, i, "an XML declaration that is not understood here", declarationRemedy)
	}
	return i + len("?>")
}

// pseudoAttribute reads white space and name="value"; next is -1 if there is something
// else.
func (p *parser) pseudoAttribute(i int, name string) (value string, next int) {
	rest := strings.TrimLeft(p.s[i:], " \t\r\n")
	spaces := len(p.s) - i - len(rest)
	rest, ok := strings.CutPrefix(rest, name)
	if spaces == 0 || !ok {
		return "", -1
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "=")
	rest = strings.TrimLeft(rest, " \t\r\n")
	if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", -1
	}
	value, rest, ok = strings.Cut(rest[1:], rest[:1])
	if !ok {
		return "", -1
	}
	return value, len(p.s) - len(rest)
}

// isEncodingName is production 81, EncName, of XML 1.0.
func isEncodingName(s string) bool {
	for i := range len(s) {
		letter := 'a' <= s[i] && s[i] <= 'z' || 'A' <= s[i] && s[i] <= 'Z'
		if !letter && (i == 0 || byteClass[s[i]]&nameByte == 0 || s[i] == ':' || s[i] >= 0x80) {
			return false
		}
	}
	return s != ""
}
