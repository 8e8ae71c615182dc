package parse

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model"
	"einvoice/model/nearest"
)

// An unreadAccount is what stands behind a label for an IBAN in its cell, has as many letters and digits as one, and
// is none.
type unreadAccount struct {
	printed string
	isIBAN  bool // it begins as one, and is no number of an account in its country
}

type unreadAccounts []unreadAccount

// unreadAccounts are those of the pages that are not the account that was taken, with a digit or two recognised wrong
// or not; the buyer's are left out.
func (d *document) unreadAccounts(taken string) (unread unreadAccounts) {
	for _, r := range d.Layout.Rows {
		for _, from := range d.beginsOfAccounts(r) {
			behind := r.Words[from : r.Cells[r.CellAt(from)].Last+1]
			printed := strings.TrimLeft(layout.TextOf(behind), ": ")
			if !hasSizeOfIBAN(printed) || d.IsDebited(r, from) || d.hasAccount(r, behind) || isNearly(printed, taken) {
				continue
			}
			found := unreadAccount{printed, beginsAsIBAN(printed)}
			if last := len(unread) - 1; last >= 0 && strings.HasSuffix(unread[last].printed, printed) { // the name of the bank is before it
				unread[last] = found
				continue
			}
			unread = append(unread, found)
		}
	}
	return unread
}

// beginsOfAccounts are the words of a row behind a label for an IBAN and, where text was recognised, those that begin as
// one by themselves, in groups of four or as a whole.
func (d *document) beginsOfAccounts(r *layout.Row) (words []int) {
	const group, least = 4, 15 // characters
	for _, h := range r.Find(&lexicon.Words().Header) {
		if h.Field == "iban" && h.Last+1 < len(r.Words) {
			words = append(words, h.Last+1)
		}
	}
	for i := 0; i < len(r.Words); i++ {
		w := r.Words[i]
		if isWhole := len(w.Text) == group || len(w.Text) >= least; isWhole && d.Layout.Pages[r.Page-1].Recognised && beginsAsIBAN(w.Text) {
			words = append(words, i)
			i = r.Cells[r.CellAt(i)].Last // what follows is of it
		}
	}
	return words
}

// hasAccount reports whether words of a row have an account with right check digits.
func (d *document) hasAccount(r *layout.Row, of []*layout.Word) bool {
	return slices.ContainsFunc(of, func(w *layout.Word) bool {
		iban, _ := d.AccountAt(r, slices.Index(r.Words, w))
		return model.HasCheckDigits(iban)
	})
}

// hasSizeOfIBAN reports whether a text has as many letters and digits as an IBAN, and more digits than letters.
func hasSizeOfIBAN(text string) bool {
	const least, most = 15, 34 // of an IBAN (ISO 13616)
	letters, digits := 0, 0
	for _, c := range text {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c):
			letters++
		}
	}
	return letters+digits >= least && letters+digits <= most && digits > letters
}

// beginsAsIBAN reports whether a text begins with a country that has IBANs, of which one letter may have been recognised
// as a digit, and two check digits, which may have been recognised as letters.
func beginsAsIBAN(text string) bool {
	const country, checked = 2, 4 // characters up to each
	if len(text) < checked || strings.ContainsFunc(lexicon.AsDigits(text[country:checked]), func(c rune) bool { return !unicode.IsDigit(c) }) {
		return false
	}
	hasDigit, hasLetter := lexicon.HasDigit(text[:country]), strings.ContainsFunc(text[:country], unicode.IsUpper)
	return hasLetter && (hasDigit || lexicon.Words().IBANLengths[text[:country]] > 0)
}

// has reports whether one of them is nearly an account.
func (u unreadAccounts) has(iban string) bool {
	return slices.ContainsFunc(u, func(a unreadAccount) bool { return isNearly(a.printed, iban) })
}

// mostMisread is how many characters of an account are recognised wrong at most, besides letters for digits. Two accounts
// with right check digits may be as near to each other, but nobody can choose one that is near to somebody else's.
const mostMisread = 2

// isNearly reports whether a text is an account of which hardly anything was recognised wrong. Something else, such as a
// BIC, may follow in the text, or the country may be missing.
func isNearly(text, iban string) bool {
	const country = 2 // letters
	if len(iban) <= country {
		return false
	}
	folded := lexicon.AsDigits(strings.Map(lettersAndDigits, text))
	for _, want := range []string{iban, iban[country:]} {
		want = lexicon.AsDigits(want)
		if nearest.Edits(folded[:min(len(folded), len(want))], want) <= mostMisread {
			return true
		}
	}
	return false
}

func lettersAndDigits(c rune) rune {
	if c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) {
		return -1
	}
	return unicode.ToUpper(c)
}

// isMisread reports whether letters of an account were recognised for digits, so that it is another text than the value.
func isMisread(pointer string, f *Field) bool {
	return pointer == accountAt && f.Printed != "" && !strings.HasSuffix(f.Value, strings.Map(lettersAndDigits, f.Printed))
}

// tellAccounts tells the accounts that were not read. Beside one that the page prints, they are likely more of the same
// party's; where a code alone says the account, they may be the right one.
func (b *builder) tellAccounts(tell func(weight float64, message string, fields ...string)) {
	f := b.result.Fields[accountAt]
	if f == nil {
		for _, u := range b.document.unreadAccounts("") {
			tell(0.95, fmt.Sprintf("the account %q is not an IBAN and was not taken; compare it with the page and add it", u.printed), accountAt)
		}
		return
	}
	weight := 0.5
	if b.byCode[accountAt] {
		weight = 0.95
	}
	for _, u := range b.document.unreadAccounts(f.Value) {
		if u.isIBAN || b.byCode[accountAt] {
			tell(weight, fmt.Sprintf("the pages also have the account %q, which is not an IBAN and was not taken; find out which account is meant", u.printed), accountAt)
		}
	}
}

// misread adds what was recognised of an account to the alternatives, where that is not its value.
func (b *builder) misread(f *Field, of []*layout.Word) {
	if f != nil && isMisread(accountAt, f) {
		b.alternatives(f, candidate.Printed{Value: strings.Map(lettersAndDigits, f.Printed), Words: of})
	}
}
