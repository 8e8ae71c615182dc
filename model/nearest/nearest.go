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
		if len(candidate) > longest {
			continue
		}
		edits := editDistance(name, candidate)
		d := edits
		if strings.HasPrefix(candidate, name) || strings.HasPrefix(name, candidate) && 2*len(candidate) > len(name) {
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

// endsIn reports whether the last words of a candidate are those of a name.
func endsIn(candidate, name string) bool {
	at := len(candidate) - len(name)
	return at > 0 && name != "" && candidate[at] != lower(candidate[at]) && strings.EqualFold(candidate[at:], name)
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		previous := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := previous
			if lower(a[i-1]) != lower(b[j-1]) {
				cost++
			}
			previous = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
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
