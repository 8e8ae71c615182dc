package validate_test

import (
	"encoding/binary"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/rulesets"
)

// Whatever encoding a document declares and is saved in, why it is not read is said in one
// language: values in the sentence are names, or are translated with it.
func TestEncodingsInOneLanguage(t *testing.T) {
	wide := func(order binary.AppendByteOrder, mark string) func(string) []byte {
		return func(text string) (data []byte) {
			for _, unit := range utf16.Encode([]rune(mark + text)) {
				data = order.AppendUint16(data, unit)
			}
			return data
		}
	}
	saved := []func(string) []byte{
		func(text string) []byte { return []byte(text) },
		func(text string) []byte { return []byte("\ufeff" + text) },
		func(text string) []byte { return append([]byte(text), 0xff) },
		wide(binary.LittleEndian, "\ufeff"), wide(binary.BigEndian, "\ufeff"), wide(binary.LittleEndian, ""), wide(binary.BigEndian, ""),
		func(text string) []byte { return append(wide(binary.LittleEndian, "")(text), 0) },
		func(text string) []byte { return append(wide(binary.BigEndian, "\ufeff")(text), 0xd8, 0) },
	}
	english := regexp.MustCompile(`\b(or|another|the|its|is|with|and|half)\b`)
	told := 0
	for _, declared := range []string{"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "US-ASCII", "ISO-8859-1", "windows-1252", "UTF-32", "UTF-7", "x"} {
		for i, save := range saved {
			_, err := formats.Read(save(`<?xml version="1.0" encoding="`+declared+`"?><Invoice/>`), formats.Options{})
			if err == nil {
				continue
			}
			told++
			for _, name := range []string{"de", "fr"} {
				language, failed := words.Open(rulesets.FS, name)
				if failed != nil {
					t.Fatal(failed)
				}
				said := language.Say(err.Error())
				if rest := strings.ReplaceAll(said, declared, ""); english.MatchString(rest) {
					t.Errorf("%s, saved in way %d, in %s: %s", declared, i, name, said)
				}
			}
		}
	}
	if told < len(saved) {
		t.Errorf("only %d documents were not read", told)
	}
}
