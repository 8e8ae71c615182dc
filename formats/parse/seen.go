package parse

import (
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/pdf/text"
)

// A Hidden is text of a page that nobody sees, which was not read.
type Hidden struct {
	Page int // from 1
	By   text.Hiding
	Text string // its beginning
}

const (
	// wholePicture is the part of a page that pictures cover at least where hidden text may
	// be what they show.
	wholePicture = 0.5
	// fewToTell is how many letters and digits hidden text has that is not worth telling.
	fewToTell = 3
	// mostTold is how many characters of hidden text are told.
	mostTold = 100
	// behindMost is the confidence that values have at most that were read behind a picture.
	behindMost = 0.9
)

// seen leaves the words of pages that a reader sees, and says what it took out. Where a page
// shows a picture and hardly a word, the words behind the picture stay: they may be what
// somebody recognised in it. behind tells of which pages that is so.
func seen(sheets []text.Sheet) (hidden []Hidden, behind []bool) {
	behind = make([]bool, len(sheets))
	for i := range sheets {
		s := &sheets[i]
		shown := slices.DeleteFunc(slices.Clone(s.Words), func(w text.Word) bool { return w.Hidden })
		if len(shown) == len(s.Words) {
			continue
		}
		isBehind := func(w text.Word) bool { return w.HiddenBy == text.HiddenByMode || w.HiddenBy == text.HiddenByPicture }
		behind[i] = len(shown) <= fewWords && s.Pictured >= wholePicture && slices.ContainsFunc(s.Words, isBehind)
		all := s.Words
		s.Words = nil
		taken := map[text.Hiding][]string{}
		for _, w := range all {
			switch {
			case !w.Hidden:
				s.Words = append(s.Words, w)
			case behind[i] && isBehind(w):
				w.Hidden = false
				s.Words = append(s.Words, w)
			default:
				taken[w.HiddenBy] = append(taken[w.HiddenBy], w.Text)
			}
		}
		hidden = append(hidden, told(i+1, taken)...)
	}
	return hidden, behind
}

// told are the texts that were taken out of a page.
func told(page int, taken map[text.Hiding][]string) (hidden []Hidden) {
	for by, words := range taken {
		all := strings.Join(words, " ")
		said := 0
		for _, c := range all {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				said++
			}
		}
		if said <= fewToTell {
			continue
		}
		if runes := []rune(all); len(runes) > mostTold {
			all = string(runes[:mostTold]) + "..."
		}
		hidden = append(hidden, Hidden{page, by, all})
	}
	slices.SortFunc(hidden, func(a, b Hidden) int { return strings.Compare(string(a.By), string(b.By)) })
	return hidden
}
