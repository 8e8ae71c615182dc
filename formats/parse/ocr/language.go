package ocr

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"einvoice/model/strictyaml"
)

//go:embed languages.yaml
var languagesYAML []byte

// frequent are the languages that have a word, by the word. A test reads them too, so that
// this cannot fail in a released program.
var frequent = sync.OnceValue(func() map[string][]string {
	var lists map[string][]string
	if err := strictyaml.Decode(languagesYAML, &lists); err != nil {
		panic(err)
	}
	languages := map[string][]string{}
	for language, list := range lists {
		for _, w := range list {
			languages[w] = append(languages[w], language)
		}
	}
	return languages
})

// How many frequent words of a language a page has at least to be in it, and how many
// times as many as of any other.
const (
	leastFrequent = 5
	moreFrequent  = 2
)

// languageOf is the one of some languages, by Tesseract's names, that words are in; all of
// them, with plus signs between, where the words do not tell.
func languageOf(ink []inkWord, languages []string) string {
	count := map[string]int{}
	for i := range ink {
		w := strings.ToLower(strings.TrimFunc(ink[i].text, func(c rune) bool { return !unicode.IsLetter(c) }))
		for _, language := range frequent()[w] {
			count[language]++
		}
	}
	best, second := "", 0
	for _, language := range languages {
		switch n := count[language]; {
		case best == "" || n > count[best]:
			second = max(second, count[best])
			best = language
		default:
			second = max(second, n)
		}
	}
	if count[best] < leastFrequent || count[best] < moreFrequent*second {
		return strings.Join(languages, "+")
	}
	return best
}
