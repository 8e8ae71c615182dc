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
	for _, candidate := range candidates {
		atLeast := max(len(candidate)-len(name), len(name)-len(candidate))
		if len(candidate) > longest || atLeast > distance && !begins(candidate, name) && !endsIn(candidate, name) {
			continue
		}
		edits := editDistance(name, candidate)
		d := edits
		if begins(candidate, name) {
			d = min(d, 1)
		}
		if endsIn(candidate, name) {
			d = min(d, 2) // dueDate is paymentDueDate rather than issueDate
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

// endsIn reports whether the last words of a candidate are those of a name.
func endsIn(candidate, name string) bool {
	at := len(candidate) - len(name)
	return at > 0 && name != "" && candidate[at] != lower(candidate[at]) && strings.EqualFold(candidate[at:], name)
}

// editDistance is how many letters have to be put in, taken out or replaced.
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
