package xmlparse_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/model/source"
)

// What is no character of XML is found wherever it is, and said before anything else that is
// wrong with the document.
func TestBadCharacterAnywhere(t *testing.T) {
	documents := []string{
		`<?xml version="1.0" standalone="yes"?>` + "\n<!-- a -\t comment --><?target some data?>\n" +
			`<a:b xmlns:a="urn:x" c="value 'ä'" d='long &amp; value'>some text of ä few words &#65;<!-- - -->` +
			"\r\n\t<![CDATA[<not> markup]]>  <e/> <?pi?>  <f  g=\"1\" >x</f  ></a:b>\n<!-- after -->\n",
		"<a>text without an end and eight bytes more",
		"<a><b>wrong</a>",
		"<a x='1' x='1'/>",
		"<a>&unknown;</a> text behind",
	}
	for _, document := range documents {
		for at := range document {
			if document[:at] != "" && !utf8.RuneStart(document[at]) || at < 2 {
				continue // the first bytes say the encoding
			}
			for _, bad := range []string{"\x00", "\x01", "\x1f", "\v", "\uFFFE", "\uFFFF", "\xff", "\xc3"} {
				text := document[:at] + bad + document[at:]
				_, err := xmlparse.Parse([]byte(text), xmlparse.DefaultLimits())
				var p *problem.Error
				if !errors.As(err, &p) {
					t.Fatalf("%q is read: %v", text, err)
				}
				if want := source.PositionIn(text, at); p.Position != want {
					t.Errorf("%q: %v at %v, want what is at %v", text, err, p.Position, want)
				}
			}
		}
	}
}
