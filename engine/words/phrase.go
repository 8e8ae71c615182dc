package words

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/quote"
)

// A phraseBook has the sentences of the program in a language. The program speaks English
// where a sentence is made, deep in a reader of PDFs for instance; only where the answer is
// written is it known for which language. A sentence is therefore found by its English
// pattern: {1} is any text and stays as it is, <1> is a sentence of its own.
type phraseBook struct {
	exact    map[string]string
	patterns []pattern // those with more text of their own first
}

type pattern struct {
	literals []string // around the values
	nested   []bool   // of each value: whether it is a sentence
	own      int      // length of the literals
	words    string
}

// deepest bounds sentences within sentences.
const deepest = 6

// Say is a sentence of the program in the language, or the sentence itself where the
// language does not have it. A nil language is English.
func (l *Language) Say(sentence string) string {
	if said, found := l.Phrase(sentence); found {
		return said
	}
	return sentence
}

// Phrase finds a sentence of the program in the language. A file that cannot be read has
// none; Check tells.
func (l *Language) Phrase(sentence string) (said string, found bool) {
	if l == nil || sentence == "" {
		return sentence, true
	}
	book, ok := l.book()
	if !ok {
		return "", false
	}
	return book.say(sentence, 0)
}

// book are the sentences that the language has; none where their files cannot be read, or where
// the language was not opened.
func (l *Language) book() (*phraseBook, bool) {
	if l.phrases == nil {
		return nil, false
	}
	book, err := l.phrases()
	return book, err == nil
}

// Written is a text that people wrote into rules, such as a reason: in the language where that
// has it word for word, and else as it is. A pattern of the program's sentences would translate
// half of it.
func (l *Language) Written(text string) string {
	if l == nil || !l.Has(text) {
		return text
	}
	return l.Say(text)
}

// Has reports whether the language has a sentence word for word, and not only by a pattern.
func (l *Language) Has(sentence string) bool {
	book, ok := l.book()
	if !ok {
		return false
	}
	_, found := book.exact[sentence]
	return found
}

// Phrases are the sentences of one file of phrases, with their translations. There are none
// where the language does not have the file.
func (l *Language) Phrases(file string) (map[string]string, error) {
	var content struct {
		Phrases map[string]string `yaml:"phrases"`
	}
	if err := l.decode(l.Path(file), &content); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return content.Phrases, nil
}

// Check reads the phrases of the language.
func (l *Language) Check() error {
	_, err := l.phrases()
	return err
}

func (l *Language) readPhrases() (*phraseBook, error) {
	files, err := fs.Glob(l.fsys, l.Path("phrases/*.yaml"))
	if err != nil {
		return nil, err
	}
	book := &phraseBook{exact: map[string]string{}}
	var failures []error
	for _, file := range files {
		phrases, err := l.Phrases("phrases/" + path.Base(file))
		if err != nil {
			failures = append(failures, err)
			continue
		}
		for english, words := range phrases {
			if n := len(failures); n >= mostMistakes {
				if n > mostMistakes {
					break // it is told
				}
				failures = append(failures, &FileError{file, fmt.Errorf("the file has %d mistakes up to here: correct them, and check again", n)})
				break
			}
			if err := book.add(english, words); err != nil {
				failures = append(failures, &FileError{file, err})
			}
		}
	}
	slices.SortFunc(book.patterns, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(a.literals[0], b.literals[0]), cmp.Compare(a.words, b.words))
	})
	return book, errors.Join(failures...)
}

func (b *phraseBook) add(english, words string) error {
	p := pattern{words: words}
	rest := english
	for {
		before, nested, after, found := cutPlace(rest, len(p.nested)+1)
		if !found {
			break
		}
		p.literals, p.nested, rest = append(p.literals, before), append(p.nested, nested), after
		p.own += len(before)
	}
	p.literals = append(p.literals, rest)
	p.own += len(rest)
	for i, nested := range p.nested {
		if strings.Count(words, place(i+1, nested)) == 0 {
			return fmt.Errorf("the translation of %s lacks %s", quote.Value(english), place(i+1, nested))
		}
	}
	if words == "" {
		return fmt.Errorf("%s has no translation", quote.Value(english))
	}
	if _, twice := b.exact[english]; twice {
		return fmt.Errorf("%q is translated twice", english)
	}
	b.exact[english] = words
	if len(p.nested) > 0 {
		b.patterns = append(b.patterns, p)
	}
	return nil
}

func place(n int, nested bool) string {
	if nested {
		return "<" + strconv.Itoa(n) + ">"
	}
	return "{" + strconv.Itoa(n) + "}"
}

// cutPlace cuts a pattern around its n-th value.
func cutPlace(text string, n int) (before string, nested bool, after string, found bool) {
	if before, after, found = strings.Cut(text, place(n, false)); found {
		return before, false, after, true
	}
	before, after, found = strings.Cut(text, place(n, true))
	return before, true, after, found
}

func (b *phraseBook) say(sentence string, depth int) (string, bool) {
	if said, ok := b.exact[sentence]; ok {
		return said, true
	}
	if depth == deepest {
		return "", false
	}
	for i := range b.patterns {
		if said, ok := b.fit(&b.patterns[i], sentence, depth); ok {
			return said, true
		}
	}
	return "", false
}

// sayLines says sentences that stand below each other, each on its own.
func (b *phraseBook) sayLines(sentences string, depth int) (string, bool) {
	lines := strings.Split(sentences, "\n")
	for i, sentence := range lines {
		said, known := b.say(sentence, depth)
		if !known {
			return "", false
		}
		lines[i] = said
	}
	return strings.Join(lines, "\n"), true
}

// afterCode ends the code of an error, behind which is what to do: "... [XML-SYNTAX]; ...".
const afterCode = "]; "

// fit says a sentence by a pattern, if it fits.
func (b *phraseBook) fit(p *pattern, sentence string, depth int) (string, bool) {
	last := len(p.literals) - 1
	rest, ok := strings.CutPrefix(sentence, p.literals[0])
	if !ok || !strings.HasSuffix(rest, p.literals[last]) {
		return "", false
	}
	rest = rest[:len(rest)-len(p.literals[last])]
	values := make([]string, len(p.nested))
	for i := range values {
		value := rest
		if i+1 < last {
			if value, rest, ok = strings.Cut(rest, p.literals[i+1]); !ok {
				return "", false
			}
		}
		if i == 0 && p.literals[1] != "" && !p.nested[0] && strings.Contains(value, ": ") {
			return "", false // what is before the colon is the beginning of another sentence
		}
		if i+1 == last && p.literals[last] == "" && !p.nested[i] && strings.Contains(value, afterCode) {
			return "", false // what follows the code of an error is a sentence of its own
		}
		if !p.nested[i] && strings.Contains(value, "\n") && !strings.Contains(p.literals[i], "\n") {
			return "", false // a sentence ends with its line
		}
		if p.nested[i] {
			if said, known := b.sayLines(value, depth+1); known {
				value = said
			} else if strings.Contains(value, " ") { // a single word that is not a phrase is a name
				return "", false
			}
		}
		values[i] = value
	}
	return Fill(p.words, func(name string) (string, bool) {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > len(values) {
			return "", false
		}
		return values[n-1], true
	}), true
}

// Fill replaces {name} and <name> in a text by values. What a value holds is never taken
// for a name, and a name without a value stays as it is written.
func Fill(text string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		at := strings.IndexAny(text, "{<")
		if at < 0 {
			break
		}
		end := strings.IndexByte(text[at:], text[at]+2) // } and > come two after { and <
		if end < 0 {
			break
		}
		b.WriteString(text[:at])
		filled, ok := "", false
		if name := text[at+1 : at+end]; isName(name) {
			filled, ok = value(name)
		}
		if ok {
			b.WriteString(filled)
			text = text[at+end+1:]
		} else {
			b.WriteByte(text[at])
			text = text[at+1:]
		}
	}
	b.WriteString(text)
	return b.String()
}

// isName tells names from other text in brackets.
func isName(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// Names are the names in braces or angle brackets of a text, in its order.
func Names(text string) (names []string) {
	Fill(text, func(name string) (string, bool) {
		names = append(names, name)
		return "", true
	})
	return names
}
