package ranker

import (
	"strings"
	"unicode"
)

// numbers are the candidates that are words with digits, but for days, amounts and shares.
func (s *surface) numbers() {
	times := map[string]int{}
	for i := range s.rows {
		for _, folded := range s.rows[i].folded {
			times[folded]++
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		for j, w := range r.Words {
			text := strings.Trim(w.Text, ".,:;()#")
			if r.folded[j] == "" || !strings.ContainsAny(text, "0123456789") || r.isTyped[j] {
				continue
			}
			f := s.begin(r, j, 1)
			f.count("times: ", times[r.folded[j]], 4)
			f.add("form: ", form(text))
			f.step("length: ", float64(len(text)), 2, 3, 4, 6, 8, 11, 15)
			s.end(Numbers, r.folded[j])
		}
	}
}

// longestForm is how many characters a form has at most.
const longestForm = 8

// form is a number with 9 for runs of digits and A for runs of letters.
func form(text string) string {
	var b strings.Builder
	var last rune
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			c = '9'
		case unicode.IsLetter(c):
			c = 'A'
		}
		if c != last && b.Len() < longestForm {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}
