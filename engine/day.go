package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Day is a calendar day as ISO 8601 writes it, 2026-11-20, so that days compare as
// texts do; "" for none.
type Day string

// ParseDay reads a day.
func ParseDay(text string) (Day, error) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", fmt.Errorf("%q is not a day: write it as 2026-11-20", text)
	}
	return Day(text), nil
}

// Today is the day in coordinated universal time.
func Today() Day {
	number := time.Now().Unix() / secondsADay
	if t := today.Load(); t != nil && t.number == number {
		return t.day
	}
	day := dayOf(time.Unix(number*secondsADay, 0).UTC())
	today.Store(&numberedDay{number, day})
	return day
}

// today is what Today said last: each document asks for it, and it changes once a day.
var today atomic.Pointer[numberedDay]

// A numberedDay is a day and its number since 1970.
type numberedDay struct {
	number int64
	day    Day
}

const secondsADay = 24 * 60 * 60

func dayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// Next is the day after.
func (d Day) Next() Day {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return d
	}
	return dayOf(t.AddDate(0, 0, 1))
}

// IssueDay is the day on which an invoice says that it was issued (BT-2); "" where it
// does not say a day.
func IssueDay(inv *model.Invoice) Day {
	if inv == nil || !inv.IssueDate.Valid {
		return ""
	}
	return Day(inv.IssueDate.ISO())
}

// Which day decides whether something is in force.
const (
	DecidedByIssue      = "issue"      // the issue date of the document; the default
	DecidedByReceipt    = "receipt"    // the day on which it was received
	DecidedByValidation = "validation" // the day on which it is validated
)

var decidedBys = []string{DecidedByIssue, DecidedByReceipt, DecidedByValidation}

// Days are those that decide about a document. An invoice can say any issue date; the other
// two are not its sender's to choose.
type Days struct{ Issue, Receipt, Validation Day }

// DaysOf are the days of an invoice: all are the day that was asked for, if one was. The day
// of receipt is today where it is not known.
func DaysOf(inv *model.Invoice, asked, received Day) Days {
	if asked != "" {
		return Days{asked, asked, asked}
	}
	now := Today()
	return Days{cmp.Or(IssueDay(inv), now), cmp.Or(received, now), now}
}

// By is the day that decides.
func (d Days) By(decidedBy string) Day {
	switch decidedBy {
	case DecidedByReceipt:
		return d.Receipt
	case DecidedByValidation:
		return d.Validation
	}
	return d.Issue
}

// decidedBy reads the key decidedBy.
func (f *ruleFile) decidedBy(n *yaml.Node) string {
	by := f.scalar(n)
	if !slices.Contains(decidedBys, by) {
		f.fail(n, "unknown day %q: use one of %s", by, strings.Join(decidedBys, ", "))
	}
	if by == DecidedByIssue {
		return ""
	}
	return by
}

// A Period is when something is in force: from a day and until a day, both included. "" is
// not a limit, and the zero Period is always in force.
type Period struct {
	From  Day `json:"from,omitempty"`
	Until Day `json:"until,omitempty"`
	// By is which day decides; "" for the issue date.
	By string `json:"decidedBy,omitempty"`
}

// In reports whether the day that decides is in the period.
func (p Period) In(days Days) bool { return p.Has(days.By(p.By)) }

// Has reports whether a day is in the period.
func (p Period) Has(d Day) bool { return d >= p.From && (p.Until == "" || d <= p.Until) }

// String says in words when it is.
func (p Period) String() string {
	switch {
	case p.From != "" && p.Until != "":
		return fmt.Sprintf("from %s until %s", p.From, p.Until)
	case p.From != "":
		return "from " + string(p.From)
	case p.Until != "":
		return "until " + string(p.Until)
	}
	return "always"
}

// Some is a day of the period; "" where every day is.
func (p Period) Some() Day { return cmp.Or(p.From, p.Until) }

// period reads the key effective.
func (f *ruleFile) period(n *yaml.Node) (p Period) {
	before := len(f.errors)
	f.mapping(n, "effective", func(key string, value *yaml.Node) bool {
		switch key {
		case "from":
			p.From = f.day(value)
		case "until":
			p.Until = f.day(value)
		default:
			return false
		}
		return true
	})
	switch {
	case len(f.errors) > before:
	case p == Period{}:
		f.fail(n, "effective needs from, until or both")
	case p.Until != "" && p.Until < p.From:
		f.fail(n, "effective ends on %s, before it begins on %s", p.Until, p.From)
	}
	return p
}

func (f *ruleFile) day(n *yaml.Node) Day {
	d, err := ParseDay(f.scalar(n))
	if err != nil {
		f.fail(n, "%v", err)
	}
	return d
}
