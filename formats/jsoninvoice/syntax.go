package jsoninvoice

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/model/quote"
)

// expectations say what JSON has where the decoder met something else, by the words that
// it uses for that place. inside means that a text, a number or the like is wrong in itself.
var expectations = []struct {
	decoder, message string
	inside           bool
}{
	{"looking for beginning of value", "a value belongs here; after the last one there is no comma, and texts are in double quotes", false},
	{"after object key:value pair", "a comma or } belongs here", false},
	{"after object key", "a colon belongs here", false},
	{"after array element", "a comma or ] belongs here", false},
	{"in string literal", `this text has a control character; write a line feed as \n, a tab as \t`, true},
	{"in string escape code", `in this text, after a backslash comes none of " \ / b f n r t u; write a backslash as \\`, true},
	{"hexadecimal character escape", `in this text, after \u come no four digits or letters from a to f`, true},
	{"numeric literal", "this is not a number; write one such as 12.50", true},
	{"in literal", "this is not a value; only true, false and null are written without quotes", true},
}

// notJSON says what is wrong after an offset of a text that is not JSON, and where.
func notJSON(data []byte, offset int, decoder string) (message string, at int) {
	for at = offset; at < len(data) && bytes.IndexByte([]byte(" \t\r\n"), data[at]) >= 0; at++ {
	}
	if at == len(data) {
		return "the JSON ends before it is complete", at
	}
	found, _ := utf8.DecodeRune(data[at:])
	for _, e := range expectations {
		switch {
		case !strings.Contains(decoder, e.decoder):
		case e.inside:
			for at < len(data) && bytes.IndexByte([]byte(" \t\r\n,:"), data[at]) >= 0 {
				at++
			}
			return "this is not JSON: " + e.message, at
		default:
			return fmt.Sprintf("this is not JSON: there is %s; %s", quote.Value(string(found)), e.message), at
		}
	}
	return fmt.Sprintf("this is not JSON: there is %s; a name in double quotes belongs here, and after the last member there is no comma", quote.Value(string(found))), at
}
