package ocr

import (
	"strings"

	"einvoice/model/pattern"
)

// clean drops ink that is not text, and the marks of table lines around words, and sets
// right the digits of amounts.
func clean(ink []inkWord) (kept []inkWord) {
	for i := range ink {
		w := ink[i]
		w.text = trimRules(w.text)
		if w.confidence < leastConfidence || w.text == "" || isRule(w.text) {
			continue
		}
		if s, changed := likeMinus(w.text); changed {
			w.text, w.confidence = s, min(w.confidence, exchanged)
		}
		if s, changed := likeDigits(w.text); changed {
			w.text, w.confidence = s, min(w.confidence, exchanged)
		}
		kept = append(kept, w)
	}
	return joined(withoutRepeats(kept))
}

// isRule reports whether a text is rather a line of a table.
func isRule(s string) bool {
	return strings.Trim(s, "|_—–-=~'`‘’“”\"[]{}\\") == "" && s != "-" && s != "–"
}

// trimRules drops what lines of a table are read as beside a word. A bracket with its
// other half is none.
func trimRules(s string) string {
	s = strings.Trim(s, "|_¦")
	for _, pair := range []string{"[]", "{}"} {
		if strings.HasPrefix(s, pair[:1]) && !strings.Contains(s, pair[1:]) {
			s = s[1:]
		}
		if strings.HasSuffix(s, pair[1:]) && !strings.Contains(s, pair[:1]) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// exchanged is the most that the confidence of a word with an exchanged digit can be.
const exchanged = 0.6

// amountShape matches an amount with two decimals in which letters stand for digits.
var amountShape = pattern.Later(`^[-–(]?[0-9OoIlSB]{1,3}(?:[.,'’]?[0-9OoIlSB]{3})*[.,][0-9OoIlSB]{2}[-–)€%]?$`)

// marked matches a number behind a mark that is none of a number.
var marked = pattern.Later(`^([=~—–]|["“”„'‘’«»*.:_])([0-9][0-9.,'’]*[.,][0-9]{2}|[0-9]{1,4})$`)

// likeMinus exchanges the marks that a minus before a number is read as, and drops others.
func likeMinus(s string) (string, bool) {
	m := marked().FindStringSubmatch(s)
	if m == nil {
		return s, false
	}
	if strings.Contains("=~—–", m[1]) {
		return "-" + m[2], true
	}
	return m[2], true
}

// digits are what letters in an amount stand for.
var digits = strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1", "S", "5", "B", "8")

// likeDigits exchanges letters for the digits that they look like, in amounts that have
// digits for the most part. Whether the amount is right, the sums of the invoice decide.
func likeDigits(s string) (string, bool) {
	if !amountShape().MatchString(s) {
		return s, false
	}
	letters, all := 0, 0
	for _, c := range s {
		if strings.ContainsRune("OoIlSB", c) {
			letters++
		}
		if c >= '0' && c <= '9' {
			all++
		}
	}
	if letters == 0 || letters >= all {
		return s, false
	}
	return digits.Replace(s), true
}

// repeatReach is how many words of the output a part of a word may come after it.
const repeatReach = 12

// withoutRepeats drops words that are a part of another at the same place: Tesseract
// reads some twice.
func withoutRepeats(ink []inkWord) []inkWord {
	drop := make([]bool, len(ink))
	for i := range ink {
		for j := max(i-repeatReach, 0); j < min(i+repeatReach, len(ink)); j++ {
			a, b := &ink[i], &ink[j]
			isPart := strings.Contains(b.text, a.text) && (len(a.text) < len(b.text) || j < i)
			if i != j && isPart && !drop[j] && a.overlap(b) > 0.6 {
				drop[i] = true
			}
		}
	}
	kept := ink[:0]
	for i := range ink {
		if !drop[i] {
			kept = append(kept, ink[i])
		}
	}
	return kept
}

// overlap is how much of a word another covers, from 0 to 1.
func (w *inkWord) overlap(other *inkWord) float64 {
	width := min(w.right, other.right) - max(w.left, other.left)
	height := min(w.bottom, other.bottom) - max(w.top, other.top)
	if width <= 0 || height <= 0 {
		return 0
	}
	return width * height / ((w.right - w.left) * (w.bottom - w.top))
}

// joinReach is how many words of the output the rest of a word may come after it.
const joinReach = 3

// joined joins the two halves of a number that overlap: Tesseract reads some characters in
// both, as in -233,4 and ,47.
func joined(ink []inkWord) []inkWord {
	drop := make([]bool, len(ink))
	for i := range ink {
		for j := i + 1; j < min(i+1+joinReach, len(ink)); j++ {
			a, b := &ink[i], &ink[j]
			if drop[i] || drop[j] || !(a.left < b.left && b.left < a.right && a.right < b.right) || a.overlap(b) == 0 {
				continue
			}
			if text, ok := joinedText(a.text, b.text); ok {
				a.text, a.right, a.confidence = text, b.right, min(a.confidence, b.confidence, exchanged)
				a.top, a.bottom = min(a.top, b.top), max(a.bottom, b.bottom)
				drop[j] = true
			}
		}
	}
	kept := ink[:0]
	for i := range ink {
		if !drop[i] {
			kept = append(kept, ink[i])
		}
	}
	return kept
}

// joinedText is the amount that two texts are of which the first ends as the second begins.
func joinedText(a, b string) (string, bool) {
	for n := min(len(a), len(b)-1); n > 0; n-- {
		if text := a + b[n:]; strings.HasSuffix(a, b[:n]) && amountShape().MatchString(text) {
			return text, true
		}
	}
	return "", false
}
