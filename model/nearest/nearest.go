// Package nearest finds what somebody meant who misspelt a name.
//
//	nearest.Of("isueDate", []string{"issueDate", "paymentDueDate"}) // issueDate
package nearest

import "strings"

// longest is how many bytes of a name are compared, to bound the work.
const longest = 100

// Of is the candidate that is nearest to a name; "" if none is near. Capitals count as
// small letters.
func Of(name string, candidates []string) string {
	if len(name) > longest {
		return ""
	}
	best, distance, letters := "", len(name)/2+1, 0
	words := wordsOf(name)
	for _, candidate := range candidates {
		atLeast := max(len(candidate)-len(name), len(name)-len(candidate))
		if len(candidate) > longest {
			continue
		}
		isFar := atLeast > distance && !begins(candidate, name)
		if isFar && !mayHave(candidate, name) {
			continue
		}
		others := wordsOf(candidate)
		hasAll, hasSome := isWithin(words, others), isWithin(others, words)
		if isFar && !hasAll && !hasSome {
			continue
		}
		edits := editDistance(name, candidate)
		d := edits
		if begins(candidate, name) {
			d = min(d, 1)
		}
		switch {
		case hasAll:
			d = min(d, 2) // dueDate is paymentDueDate rather than issueDate
		case hasSome:
			d = min(d, 3) // invoiceNumber is number, vatCurrencyCode is vatAccountingCurrencyCode rather than currencyCode
		}
		if d < distance || d == distance && best != "" && edits < letters {
			best, distance, letters = candidate, d, edits
		}
	}
	return best
}

// begins reports whether one of two names begins with the other, or most of it.
func begins(candidate, name string) bool {
	return strings.HasPrefix(candidate, name) || strings.HasPrefix(name, candidate) && 2*len(candidate) > len(name)
}

// mayHave reports whether the longer of two names has the first letters of the shorter one, without
// which it has none of its words: most candidates are passed over by that.
func mayHave(a, b string) bool {
	short, long := a, b
	if len(a) > len(b) {
		short, long = b, a
	}
	if len(short) < 3 || !isLetter(short[0]) || !isLetter(short[1]) || lower(short[1]) == 's' || short[1] != lower(short[1]) {
		return true // its first word may be shorter than two letters
	}
	for i := range len(long) {
		rest := strings.TrimLeft(long[i+1:], signs)
		if lower(long[i]) == lower(short[0]) && rest != "" && lower(rest[0]) == short[1] {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' }

// signs are between the words of a name.
const signs = "-_. "

// wordsOf are the words of a name in small letters, in the singular.
func wordsOf(name string) (words []string) {
	begin := 0
	add := func(end int) {
		if word := strings.TrimRight(strings.ToLower(name[begin:end]), "s"); word != "" {
			words = append(words, word)
		}
	}
	for i := range len(name) {
		switch isSign := strings.IndexByte(signs, name[i]) >= 0; {
		case isSign:
			add(i)
			begin = i + 1
		case i > 0 && name[i] != lower(name[i]) && name[i-1] == lower(name[i-1]):
			add(i)
			begin = i
		}
	}
	add(len(name))
	return words
}

// isWithin reports whether all words are among others, in their order, or are their last words
// written as one.
func isWithin(words, others []string) bool {
	if len(words) == 0 {
		return false
	}
	written, left := strings.Join(words, ""), words
	for i, other := range others {
		if strings.Join(others[i:], "") == written {
			return true
		}
		if len(left) > 0 && left[0] == other {
			left = left[1:]
		}
	}
	return len(left) == 0
}

// Edits returns how many letters have to be put in, taken out or replaced to make one text of another, capitals or not.
// It compares the first 100 bytes of each.
func Edits(a, b string) int { return editDistance(a[:min(len(a), longest)], b[:min(len(b), longest)]) }

// editDistance is Edits of texts that are not too long.
func editDistance(a, b string) int {
	var costs [longest + 1]int
	row := costs[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous, letter := row[0], lower(a[i])
		row[0] = i + 1
		for j := range len(b) {
			cost := previous
			if letter != lower(b[j]) {
				cost++
			}
			previous = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
