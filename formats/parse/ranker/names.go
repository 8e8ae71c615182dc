package ranker

import (
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// mostWords is how many words a name has at most.
const mostWords = 12

// A place is a cell that may be a name: from a word on, behind a label.
type place struct {
	row         *row
	first, last int
	key         string
}

// names are the candidates that are texts of cells of the first and the last page.
func (s *surface) names() {
	var places []place
	var text strings.Builder
	times := map[string]int{}
	for i := range s.rows {
		r := &s.rows[i]
		if r.Page > 1 && r.Page < len(s.pages.Layout.Pages) {
			continue
		}
		for c := range r.Cells {
			for _, p := range r.placesOf(c) {
				if letters := strings.IndexFunc(p.key, unicode.IsLetter); letters < 0 || len(p.key) < leastPart {
					continue
				}
				places = append(places, p)
				text.WriteString(p.key)
				text.WriteByte('\n')
				times[p.key]++
			}
		}
	}
	inside := occurrences(text.String(), times)
	domains := s.domains()
	for i := range places {
		p := &places[i]
		if p.last-p.first >= mostWords {
			continue
		}
		f := s.begin(p.row, p.first, p.last-p.first+1)
		s.describe(f, p)
		f.count("inside of: ", inside[p.key], 4)
		f.when(p.isOf(domains), "of a domain")
		f.count("times: ", times[p.key], 3)
		s.end(Names, p.key)
	}
}

// mostKeys is how many different texts are looked for inside of others: more are no invoice's.
const mostKeys = 600

// occurrences counts where each key is in a text.
func occurrences(text string, keys map[string]int) map[string]int {
	inside := map[string]int{}
	if len(keys) > mostKeys {
		return inside
	}
	for key := range keys {
		inside[key] = strings.Count(text, key)
	}
	return inside
}

// mostDomains is how many web and mail addresses of pages count.
const mostDomains = 12

// domains are the web and mail addresses of the pages, folded.
func (s *surface) domains() (all []string) {
	for i := range s.rows {
		for _, w := range s.rows[i].Words {
			if len(all) < mostDomains && (strings.Contains(w.Text, "@") || webEnds().MatchString(w.Text)) {
				_, domain, isMail := strings.Cut(w.Text, "@")
				if !isMail {
					domain = w.Text
				}
				all = append(all, lexicon.Fold(domain))
			}
		}
	}
	return all
}

// isOf reports whether a word of a name is in a domain.
func (p *place) isOf(domains []string) bool {
	const short = 3 // letters of a word that says little
	for _, domain := range domains {
		for _, word := range p.row.folded[p.first : p.last+1] {
			if len(word) > short && strings.Contains(domain, word) {
				return true
			}
		}
	}
	return false
}

// placesOf are the text of a cell, and what is behind the label that it begins with: alone where the
// label has a colon, for "Lieferant" may be a label and a part of a name.
func (r *row) placesOf(cell int) []place {
	c := &r.Cells[cell]
	whole := place{row: r, first: c.First, last: c.Last}
	behind := whole
	needed := true
	for _, h := range r.hitsIn(c) {
		if h.First == behind.first && h.Last < c.Last && (h.Colon || strings.HasPrefix(h.name, "party ")) {
			behind.first = h.Last + 1
			needed = needed && !h.Colon
		}
	}
	var all []place
	if needed {
		all = append(all, whole)
	}
	if behind.first > whole.first {
		all = append(all, behind)
	}
	for i := range all {
		all[i].key = strings.Join(r.folded[all[i].first:all[i].last+1], "")
	}
	return all
}

// mostBelow is how many rows are looked at for the heading of a party.
const mostBelow = 8

// heading is the label of a party that begins a cell above a name, or beside it to the left.
func (s *surface) heading(p *place) string {
	left := p.row.Words[p.first].Box.Left
	right := p.row.Words[p.last].Box.Right
	for i := p.row.Index; i >= max(p.row.Index-mostBelow, 0) && s.rows[i].Page == p.row.Page; i-- {
		r := &s.rows[i]
		for j := range r.hits[:min(len(r.hits), mostHits)] {
			h := &r.hits[j]
			if strings.HasPrefix(h.name, "party ") && h.StartsCell && (i < p.row.Index || h.Last < p.first) && r.Words[h.First].Box.Left < right && isNearLeft(r.Words[h.First].Box.Left, left) {
				return h.name
			}
		}
	}
	return "none"
}

// isNearLeft reports whether a heading begins not far to the left of a name.
func isNearLeft(heading, name float64) bool {
	const far = 220 // points
	return name-heading < far
}

// describe adds what a name and the cells above and below it are like.
func (s *surface) describe(f *features, p *place) {
	r := p.row
	for i := p.first; i <= min(p.last, p.first+5); i++ {
		f.add("word: ", r.shapes[i])
	}
	f.add("heading: ", s.heading(p))
	f.add("first word: ", r.shapes[p.first])
	f.add("last word: ", r.shapes[p.last])
	f.count("words: ", p.last-p.first+1, 7)
	for _, what := range lookOf(r, p.first, p.last) {
		f.add("is: ", what)
	}
	left, right := r.Words[p.first].Box.Left, r.Words[p.last].Box.Right
	for j, q := range s.below(r, left, right, 4) {
		for _, what := range lookOf(q.row, q.cell.First, q.cell.Last) {
			f.add("below ", digits[j], " is: ", what, " at ", digits[q.gapStep(s.height)])
		}
	}
	for j, q := range s.above(r, left, right, 2) {
		for _, what := range lookOf(q.row, q.cell.First, q.cell.Last) {
			f.add("above ", digits[j], " is: ", what, " at ", digits[q.gapStep(s.height)])
		}
	}
	text := layout.TextOf(r.Words[p.first : p.last+1])
	f.when(text == strings.ToUpper(text), "capitals")
	f.when(isTitled(r.Words[p.first:p.last+1]), "words begin with capitals")
	f.when(lexicon.HasDigit(text), "has digits")
	f.when(strings.Contains(text, ","), "has a comma")
	f.when(strings.HasSuffix(text, "."), "ends with a full stop")
	f.when(strings.HasSuffix(text, ":"), "ends with a colon")
	f.step("row: ", float64(r.Index), 1, 2, 4, 8, 16, 32)
	f.step("rows below: ", float64(len(s.rows)-1-r.Index), 1, 2, 4, 8, 16)
}

func isTitled(words []*layout.Word) bool {
	for _, w := range words {
		if first := []rune(w.Text)[0]; !unicode.IsUpper(first) {
			return false
		}
	}
	return true
}

// webEnds are the ends of addresses on the web.
var webEnds = lexicon.Pattern(`(?i)(www\.|\.(de|com|net|org|fr|nl|be|it|es|eu|ch|at|uk|ie|pl|pt|se|dk|cz)$)`)

// houseNumber matches the end of a street, or the beginning of one.
var houseNumber = lexicon.Pattern(`^\d+,?\s|\d{1,4}[a-zA-Z]?,?$`)

// lookOf is what words look like: parts of an address, of contact data, of a company's name.
func lookOf(r *row, first, last int) (all []string) {
	words := r.Words[first : last+1]
	text := layout.TextOf(words)
	if _, _, _, ok := candidate.CityIn(text); ok {
		all = append(all, "city")
	}
	if strings.Contains(text, "@") {
		all = append(all, "mail")
	}
	if lexicon.HasDigit(text) && houseNumber().MatchString(text) {
		all = append(all, "number")
	}
	phone, web, legalForm := false, false, false
	for i, w := range words {
		web = web || strings.Contains(w.Text, ".") && webEnds().MatchString(w.Text)
		phone = phone || lexicon.Words().Phones[r.folded[first+i]] || strings.HasPrefix(w.Text, "+")
		legalForm = legalForm || i > 0 && lexicon.Words().LegalForms[r.folded[first+i]]
	}
	for _, look := range []struct {
		is   bool
		name string
	}{{web, "web"}, {phone, "phone"}, {legalForm, "legal form"}} {
		if look.is {
			all = append(all, look.name)
		}
	}
	if len(all) == 0 {
		all = append(all, "text")
	}
	return all
}
