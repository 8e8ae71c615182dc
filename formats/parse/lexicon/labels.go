package lexicon

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// Labels finds phrases in sequences of tokens.
type Labels struct {
	byFirst map[string][]phrase
	endings []phrase          // each the end of a word that other words begin, as in Hotelrechnung
	english map[string]spoken // of a phrase, by its tokens
}

// noField is the field of endings that look like those of a field and are not, as in Berechnung.
const noField = "none"

type phrase struct {
	Tokens []string
	Field  string
	Length int // in characters
}

// A Token is a part of a row that labels are compared by.
type Token struct {
	Text string
	Word int // the index of its word in the row
}

// UnmarshalYAML reads phrases by the field that they name: a list, or lists by language. A
// list alone names no field. A phrase that begins with * is the end of a word.
func (l *Labels) UnmarshalYAML(n *yaml.Node) error {
	l.byFirst, l.english = map[string][]phrase{}, map[string]spoken{}
	if n.Kind == yaml.SequenceNode {
		return l.add("", n)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := l.add(n.Content[i].Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Labels) add(field string, n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 1; i < len(n.Content); i += 2 {
			if err := l.add(field, n.Content[i]); err != nil {
				return err
			}
			l.speak(n.Content[i-1].Value, n.Content[i])
		}
		return nil
	}
	var names []string
	err := n.Decode(&names)
	for _, name := range names {
		p := phrase{Tokens: Tokens(name), Field: field, Length: len(Fold(name))}
		switch {
		case strings.HasPrefix(name, "*"):
			l.endings = append(l.endings, p)
		case len(p.Tokens) > 0:
			l.byFirst[p.Tokens[0]] = append(l.byFirst[p.Tokens[0]], p)
		}
	}
	return err
}

// spoken tells which languages a phrase is of.
type spoken struct{ english, others bool }

// speak notes the language of phrases.
func (l *Labels) speak(language string, of *yaml.Node) {
	for _, n := range of.Content {
		key := strings.Join(Tokens(n.Value), " ")
		s := l.english[key]
		l.english[key] = spoken{s.english || language == "en", s.others || language != "en"}
	}
}

// English is 1 where tokens are a phrase that English alone has, -1 where other languages alone have it, and 0 where both or
// none do.
func (l *Labels) English(of []Token) int {
	texts := make([]string, len(of))
	for i, t := range of {
		texts[i] = t.Text
	}
	switch l.english[strings.Join(texts, " ")] {
	case spoken{english: true}:
		return 1
	case spoken{others: true}:
		return -1
	}
	return 0
}

// Names reports whether a field has a phrase.
func (l *Labels) Names(field string) bool {
	for _, phrases := range l.byFirst {
		for _, p := range phrases {
			if p.Field == field {
				return true
			}
		}
	}
	return false
}

// A Match is a phrase at the beginning of a sequence of tokens.
type Match struct {
	phrase
	Used int // tokens of the sequence, among which a currency or a percentage may be inside the phrase
}

// Longest is the longest phrase that a sequence of tokens begins with. Where one text
// is a phrase of several fields, the field that comes first in the alphabet is chosen,
// so that the same page always gives the same answer. Where no phrase fits, the end of the first
// word decides.
func (l *Labels) Longest(sequence []Token) (best Match, ok bool) {
	if len(sequence) == 0 {
		return best, false
	}
	for _, p := range l.byFirst[sequence[0].Text] {
		longer := len(p.Tokens) > len(best.Tokens) || len(p.Tokens) == len(best.Tokens) && p.Field < best.Field
		if !longer {
			continue
		}
		if n := prefixed(sequence, p.Tokens); n > 0 {
			best, ok = Match{p, n}, true
		}
	}
	if ok || len(l.endings) == 0 {
		return best, ok
	}
	return l.byEnding(sequence[0].Text)
}

// byEnding is the longest ending of a word.
func (l *Labels) byEnding(word string) (best Match, ok bool) {
	for _, p := range l.endings {
		isLonger := len(word) > len(p.Tokens[0]) || p.Field == noField // a phrase has the word itself
		if isLonger && p.Length > best.Length && strings.HasSuffix(word, p.Tokens[0]) {
			best = Match{p, 1}
		}
	}
	return best, best.Length > 0 && best.Field != noField
}

// prefixed is how many tokens of a sequence a phrase takes that it begins with; 0 if it does
// not. A currency or a percentage may be inside the phrase, as in Total EUR HT and incl. 15 % VAT.
func prefixed(sequence []Token, prefix []string) int {
	i := 0
	for k, t := range prefix {
		if k > 0 && i == k && i < len(sequence) && sequence[i].Text != t {
			if isCurrency(sequence[i : i+1]) {
				i++
			} else {
				i += percentage(sequence[i:])
			}
		}
		if i >= len(sequence) || sequence[i].Text != t {
			return 0
		}
		i++
	}
	return i
}

// percentage is how many tokens have the percentage that a sequence begins with: 15 % has two, 13.5 % three.
func percentage(sequence []Token) int {
	const longest = 3
	for n, t := range sequence[:min(longest, len(sequence))] {
		switch {
		case t.Text == "%" && n > 0:
			return n + 1
		case strings.Trim(t.Text, "0123456789") != "":
			return 0
		}
	}
	return 0
}

// isCurrency reports whether tokens are a currency.
func isCurrency(sequence []Token) bool {
	m, ok := Words().Currencies.Longest(sequence)
	return ok && m.Used == len(sequence)
}

// Exactly is the field of a text that is a phrase as a whole.
func (l *Labels) Exactly(text string) (field string, ok bool) {
	var sequence []Token
	for _, t := range Tokens(text) {
		sequence = append(sequence, Token{Text: t})
	}
	m, ok := l.Longest(sequence)
	return m.Field, ok && m.Used == len(sequence)
}

// CurrencyWord is the code of the currency that a word names.
func CurrencyWord(s string) (string, bool) {
	if len(s) > 8 {
		return "", false
	}
	code, ok := Words().Currencies.Exactly(s)
	if spelled, is := Words().ShortCurrencies[code]; ok && is && strings.EqualFold(strings.TrimSuffix(s, "."), spelled) {
		return code, strings.TrimSuffix(s, ".") == spelled
	}
	return code, ok
}

// IsShortCurrency reports whether a word is the short name of a currency, which names other things too.
func IsShortCurrency(s string) bool {
	code, ok := CurrencyWord(s)
	return ok && Words().ShortCurrencies[code] == strings.TrimSuffix(s, ".")
}

// plural matches what may be added to a unit, as in Unit(s).
var plural = Pattern(`\((?:s|e|n|en|es)\)$`)

// UnitCode is the code of a unit that is printed.
func UnitCode(s string) (string, bool) {
	return Words().Units.Exactly(plural().ReplaceAllString(s, ""))
}
