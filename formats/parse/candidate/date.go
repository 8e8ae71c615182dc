package candidate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Date is a day that is printed.
type Date struct {
	year, month, day int
	Words            []*layout.Word
}

// ISO writes the day as ISO 8601 does.
func (d Date) ISO() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }

// afterDay is what may stand behind a day in its last word: punctuation, or the signs of whoever wrote the letter.
const afterDay = `(?:[.,;:)]{0,2}|/\p{L}{1,4})$`

var (
	dateLike  = lexicon.Pattern(`^[^\d\p{L}]{0,2}(\d{1,4})[./-](\d{1,2})[./-](\d{2,4})` + afterDay)
	dayNumber = lexicon.Pattern(`^\(?(\d{1,2})(?:\.|er|st|nd|rd|th|ST|ND|RD|TH|,)?,?$`)
	yearWord  = lexicon.Pattern(`^(\d{4})` + afterDay)
	namedDate = lexicon.Pattern(`^(\d{1,2})(?:(?:st|nd|rd|th)[-./ ])?[-./ ]?([\p{L}]{3,10})\.?[-./ ]?(\d{4}|\d{2})` + afterDay)
	shortDay  = lexicon.Pattern(`^(\d{4})[./-](\d{1,2})[./-](\d)` + afterDay)
	hanDate   = lexicon.Pattern(`^(\d{4})[年년](\d{1,2})[月월](\d{1,2})[日일]`)
	yearBegin = lexicon.Pattern(`^(\d{4})\.?,?$`)
	lastOfDay = lexicon.Pattern(`^(\d{1,2})[.,]{0,2}$`)
	romanDate = lexicon.Pattern(`^(\d{1,2})[-./]([IVX]{1,4})[-./](\d{4}|\d{2})` + afterDay)
)

// romanMonths are the numbers of months as Poland, Hungary and Spain write them.
var romanMonths = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}

// romanMonth is the month of a Roman numeral; 0 where it is none.
func romanMonth(s string) int { return slices.Index(romanMonths, strings.TrimSuffix(s, ".")) + 1 }

// timeOfDay follows the day on which a page was printed, in the order of whoever printed it.
var timeOfDay = lexicon.Pattern(`^\d{1,2}:\d{2}`)

// monthIsFirst reports whether a document writes the month before the day: some day in it
// can be read in this way alone, and none in the other alone. Where all days can be read
// in both, one with amounts in US dollars and English labels does. Days with full stops, as 05.03.2018, have the day
// first everywhere.
//
// unsure tells that one of the two says so, and not the other.
func monthIsFirst(l *layout.Layout) (first, unsure bool) {
	monthFirst, dollars := false, false
	for _, r := range l.Rows {
		for i, w := range r.Words {
			code, ok := lexicon.CurrencyWord(w.Text)
			if !ok && lexicon.HasDigit(w.Text) {
				_, code = CutCurrency(w.Text)
			}
			dollars = dollars || code == "USD"
			m := dateLike().FindStringSubmatch(w.Text)
			if m == nil || len(m[1]) > 2 || len(w.Text) > 24 || i+1 < len(r.Words) && timeOfDay().MatchString(r.Words[i+1].Text) {
				continue
			}
			first, _ := strconv.Atoi(m[1])
			second, _ := strconv.Atoi(m[2])
			if first > 12 && second <= 12 {
				return false, false
			}
			monthFirst = monthFirst || second > 12 && first <= 12 && !isDotted(m)
		}
	}
	dollars = dollars && isEnglish(l)
	return monthFirst || dollars, dollars != monthFirst
}

// isShort reports whether what dateLike found has two digits for each of year, month and day, which may stand in any order; with
// full stops the year is the last.
func isShort(found []string) bool {
	return len(found[1]) == 2 && len(found[3]) == 2 && !isDotted(found)
}

// yearIsFirst reports whether a document writes days as 26-11-20, as Sweden does: read so, its days are closer to each other, and
// to those with four digits for the year, than with the year behind. unsure tells that the days do not say it, and a currency of
// countries that write so is named, or one day is alone.
func yearIsFirst(l *layout.Layout) (first, unsure bool) {
	var yearFirst, dayFirst span
	isOfCountry, isOther := false, false
	for _, r := range l.Rows {
		for i, w := range r.Words {
			code, ok := CurrencyAt(r.Words[i:])
			if !ok && lexicon.HasDigit(w.Text) {
				_, code = CutCurrency(w.Text)
			}
			isOfCountry = isOfCountry || slices.Contains(lexicon.Words().YearFirstCurrencies, code)
			m := dateLike().FindStringSubmatch(w.Text)
			if m == nil || len(w.Text) > 24 || !isShort(m) {
				continue
			}
			a, errA := time.Parse("06-1-02", m[1]+"-"+m[2]+"-"+m[3])
			b, errB := time.Parse("02-1-06", m[1]+"-"+m[2]+"-"+m[3])
			isOther = isOther || errA != nil
			if errA == nil && errB != nil {
				first = true
			}
			if errA == nil && errB == nil {
				yearFirst.add(a)
				dayFirst.add(b)
			}
		}
	}
	switch {
	case isOther:
		return false, false
	case first:
		return true, false
	case yearFirst.first.IsZero():
		return isOfCountry, isOfCountry
	}
	isAlone := yearFirst.length() == 0 && dayFirst.length() == 0
	for _, day := range longDays(l) {
		isAlone = false
		yearFirst.add(day)
		dayFirst.add(day)
	}
	if isAlone {
		ofNow := yearFirst.isOfNow()
		return isOfCountry || ofNow && !dayFirst.isOfNow(), isOfCountry || ofNow && yearFirst != dayFirst
	}
	const much = 60 * 24 * time.Hour // where the years are the same in both orders, the spans differ by days
	nearer := dayFirst.length() - yearFirst.length()
	isOpen := isOfCountry && nearer <= much && nearer >= -much
	return nearer > much || isOpen, isOpen
}

// longDays are days of the pages with four digits for the year, as near as their month: which of their numbers is the day does
// not matter here.
func longDays(l *layout.Layout) (days []time.Time) {
	for _, r := range l.Rows {
		for _, w := range r.Words {
			m := dateLike().FindStringSubmatch(w.Text)
			if m == nil || len(w.Text) > 24 {
				continue
			}
			year, month := m[1], m[2]
			if len(m[3]) == 4 {
				year = m[3]
			}
			if day, err := time.Parse("2006-1", year+"-"+month); err == nil {
				days = append(days, day)
			}
		}
	}
	return days
}

// A span is the time from the first to the last of some days.
type span struct{ first, last time.Time }

func (s *span) add(day time.Time) {
	if s.first.IsZero() || day.Before(s.first) {
		s.first = day
	}
	if s.last.IsZero() || day.After(s.last) {
		s.last = day
	}
}

// isOfNow reports whether the days are of the years in which invoices are read from pages.
func (s *span) isOfNow() bool {
	const since = 2010
	return s.first.Year() >= since
}

func (s *span) length() time.Duration { return s.last.Sub(s.first) }

// isEnglish reports whether more labels of a page are English than of other languages.
func isEnglish(l *layout.Layout) bool {
	in, more := &lexicon.Words().Header, 0
	for _, r := range l.Rows {
		for _, h := range r.Find(in) {
			more += h.English(in)
		}
	}
	return more > 0
}

// isDotted reports whether what dateLike found has full stops between its numbers.
func isDotted(found []string) bool { return strings.Contains(found[0], found[1]+"."+found[2]+".") }

// Unsure reports whether what is printed may be two days: month and day in figures, in an order
// of which other days of the document and its currency do not both say that it is the American one.
func (n Notation) Unsure(printed string) bool {
	m := dateLike().FindStringSubmatch(printed)
	if m != nil && n.yearUnsure && isShort(m) {
		return true
	}
	if m == nil || !n.dayUnsure || len(m[1]) > 2 || isDotted(m) {
		return false
	}
	first, _ := strconv.Atoi(m[1])
	second, _ := strconv.Atoi(m[2])
	return first <= 12 && second <= 12 && first != second
}

// OtherDay is the other day that what is printed may be, where [Notation.Unsure] reports that there is one: day is that which was
// read, as ISO 8601 writes it.
func (n Notation) OtherDay(printed, day string) string {
	ymd := strings.Split(day, "-")
	if len(ymd) != 3 {
		return ""
	}
	if m := dateLike().FindStringSubmatch(printed); m != nil && n.yearUnsure && isShort(m) {
		return ymd[0][:2] + ymd[2] + "-" + ymd[1] + "-" + ymd[0][2:]
	}
	return ymd[0] + "-" + ymd[2] + "-" + ymd[1]
}

// DateAt reads the day that begins at a word of a row, and says how many words it has.
func (n Notation) DateAt(of []*layout.Word) (Date, int) {
	if len(of) == 0 || len(of[0].Text) > 24 {
		return Date{}, 0
	}
	of = untilGap(of[:min(len(of), mostOfDate)])
	if m := dateLike().FindStringSubmatch(of[0].Text); m != nil {
		return n.numericDate(m, of[:1])
	}
	m := hanDate().FindStringSubmatch(of[0].Text)
	if m == nil {
		m = shortDay().FindStringSubmatch(of[0].Text)
	}
	if m != nil {
		month, _ := strconv.Atoi(m[2])
		return made(m[1], month, m[3], of[:1])
	}
	if m := romanDate().FindStringSubmatch(of[0].Text); m != nil {
		return made(m[3], romanMonth(m[2]), m[1], of[:1])
	}
	if m := namedDate().FindStringSubmatch(of[0].Text); m != nil {
		return made(m[3], n.month(m[2]), m[1], of[:1])
	}
	if len(of) >= 3 && lexicon.HasDigit(of[0].Text) {
		if joined := of[0].Text + of[1].Text + of[2].Text; len(joined) <= 12 { // 20. 11. 2026
			if m := dateLike().FindStringSubmatch(joined); m != nil && strings.ContainsAny(of[0].Text+of[1].Text, "./-") {
				return n.numericDate(m, of[:3])
			}
		}
	}
	if d, used := n.yearFirstDate(of); used > 0 {
		return d, used
	}
	return n.writtenDate(of)
}

// yearFirstDate reads a day that Hungary, Lithuania and others write with the year first: 2026. november 20. A year behind it is
// that of the day, and the one before belongs to something else.
func (n Notation) yearFirstDate(of []*layout.Word) (Date, int) {
	const words = 3
	if len(of) < words {
		return Date{}, 0
	}
	year, day := yearBegin().FindStringSubmatch(of[0].Text), lastOfDay().FindStringSubmatch(of[2].Text)
	if year == nil || day == nil || len(of) > words && yearWord().MatchString(of[words].Text) {
		return Date{}, 0
	}
	return made(year[1], n.month(strings.TrimSuffix(of[1].Text, ".")), day[1], of[:words])
}

// mostOfDate is how many words are looked at for a date.
const mostOfDate = 8

// untilGap are the words up to the first gap as between columns: 01. of one and 31. of the next are no date.
func untilGap(of []*layout.Word) []*layout.Word {
	const wide = 2.5 // sizes of a letter
	for i := 1; i < len(of); i++ {
		if of[i].Box.Left-of[i-1].Box.Right > wide*max(of[i-1].Size, 4) {
			return of[:i]
		}
	}
	return of
}

// month is the month that a word names; 0 where it names none.
func (n Notation) month(word string) int {
	folded := lexicon.Fold(word)
	if of, isOwn := n.months[folded]; isOwn {
		return of
	}
	return lexicon.Words().Months[folded]
}

// leastOfLanguage is how many words of a language a page has at least that is in it.
const leastOfLanguage = 2

// ownMonths are the names that mean another month in the language of the pages than in others, as mar, which is
// November in Finnish.
func ownMonths(l *layout.Layout) map[string]int {
	for _, of := range lexicon.Words().OwnMonths {
		seen := map[string]bool{}
		for _, r := range l.Rows {
			for _, w := range r.Words {
				if folded := lexicon.Fold(strings.Trim(w.Text, ".:,")); of.Words[folded] {
					seen[folded] = true
				}
			}
		}
		if len(seen) >= leastOfLanguage {
			return of.Months
		}
	}
	return nil
}

// writtenDate reads a day with the name of its month: 20. November 2026, November 20,
// 2026, 20 de noviembre de 2026.
func (n Notation) writtenDate(of []*layout.Word) (Date, int) {
	day, month, used := "", 0, 0
	for i := 0; i < len(of) && i < 6; i++ {
		s := of[i].Text
		used = i + 1
		switch m := dayNumber().FindStringSubmatch(s); {
		case lexicon.Words().DateWords[strings.ToLower(s)] || s == ",":
			if i == 0 {
				return Date{}, 0
			}
		case m != nil && day == "":
			day = m[1]
		case month == 0 && n.month(s) > 0:
			month = n.month(s)
		case month == 0 && day != "" && romanMonth(s) > 0:
			month = romanMonth(s)
		case day != "" && month > 0 && yearWord().MatchString(s):
			return made(yearWord().FindStringSubmatch(s)[1], month, day, of[:used])
		default:
			return Date{}, 0
		}
	}
	return Date{}, 0
}

// numericDate reads the three numbers that dateLike found: year first where it has four digits, else
// day first, and month first where the second number can be no month or the document writes it so.
func (n Notation) numericDate(found []string, of []*layout.Word) (Date, int) {
	a, b, c := found[1], found[2], found[3]
	if len(a) == 4 {
		if len(c) > 2 {
			return Date{}, 0
		}
		month, _ := strconv.Atoi(b)
		return made(a, month, c, of)
	}
	first, _ := strconv.Atoi(a)
	second, _ := strconv.Atoi(b)
	if len(a) > 2 || len(c) == 3 {
		return Date{}, 0
	}
	if n.yearFirst && isShort(found) {
		return made(a, second, c, of)
	}
	if first <= 12 && (second > 12 || n.monthFirst && !isDotted(found)) {
		return made(c, first, b, of)
	}
	return made(c, second, a, of)
}

func made(year string, month int, day string, of []*layout.Word) (Date, int) {
	y, errY := strconv.Atoi(year)
	d, errD := strconv.Atoi(day)
	if len(year) == 2 {
		y += 2000
	}
	if errY != nil || errD != nil || month < 1 || month > 12 || d < 1 || y < 1950 || y > 2100 {
		return Date{}, 0
	}
	if t := time.Date(y, time.Month(month), d, 0, 0, 0, 0, time.UTC); t.Day() != d {
		return Date{}, 0
	}
	return Date{y, month, d, of}, len(of)
}
