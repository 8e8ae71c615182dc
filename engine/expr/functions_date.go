package expr

import (
	"fmt"
	"time"

	"einvoice/model"
	"einvoice/model/quote"

	"github.com/google/cel-go/common/types"
)

// Functions of dates. A date is a day of the Gregorian calendar without a time of day, of
// the years 1 to 9999, however its document writes it.
var dateFunctions = []function{
	{"date", "The day that a text such as 2026-11-20 gives.", `date("2026-11-20") < date("2026-12-01")`,
		[]overload{{args: []*types.Type{types.StringType}, result: dateType, compile: compileDate}}},
	{"daysBetween", "How many days after the first date the second one is; negative if it is before.", `daysBetween(date("2026-11-20"), date("2026-12-01")) == 11`,
		[]overload{global(func(a []compiled) compiled { return asInt(daysBetween(a[0].date, a[1].date)) }, types.IntType, dateType, dateType)}},
	{"addDays", "The date so many days later, or earlier for a negative number.", `addDays(date("2026-02-27"), 2) == date("2026-03-01")`,
		[]overload{global(func(a []compiled) compiled { return compiled{date: addDays(a[0].date, a[1].integer)} }, dateType, dateType, types.IntType)}},
	{"firstOfMonth", "The first day of the month of a date.", `firstOfMonth(date("2026-02-27")) == date("2026-02-01")`,
		[]overload{global(func(a []compiled) compiled {
			return compiled{date: dayOf(a[0].date, func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) })}
		}, dateType, dateType)}},
	{"lastOfMonth", "The last day of the month of a date.", `lastOfMonth(date("2028-02-01")) == date("2028-02-29")`,
		[]overload{global(func(a []compiled) compiled {
			return compiled{date: dayOf(a[0].date, func(t time.Time) time.Time { return time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC) })}
		}, dateType, dateType)}},
}

// compileDate refuses a literal that is not a day when the rule loads.
func compileDate(_ *Environment, args []compiled) (compiled, error) {
	if text, is := args[0].literal.(string); is && !model.NewDate(text).Valid {
		return compiled{}, fmt.Errorf("%q is not a day: write it as 2026-11-20", quote.Shorten(text, most))
	}
	return compiled{date: parseDate(args[0].text)}, nil
}

func parseDate(text fn[string]) fn[*model.Date] {
	return func(act *Activation) (*model.Date, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return nil, false
		}
		d := model.NewDate(s)
		if !d.Valid {
			act.unreadable(s, "%q is not a day such as 2026-11-20")
		}
		return &d, d.Valid
	}
}

const secondsOfDay = 24 * 60 * 60

func daysBetween(from, to fn[*model.Date]) fn[int64] {
	return func(act *Activation) (int64, bool) {
		a, ok := from(act)
		if !ok {
			return 0, false
		}
		b, ok := to(act)
		if !ok {
			return 0, false
		}
		return (b.Time().Unix() - a.Time().Unix()) / secondsOfDay, true
	}
}

// mostDays is more than there are in 9999 years.
const mostDays = 4_000_000

func addDays(to fn[*model.Date], days fn[int64]) fn[*model.Date] {
	return func(act *Activation) (*model.Date, bool) {
		d, ok := to(act)
		if !ok {
			return nil, false
		}
		n, ok := days(act)
		if !ok {
			return nil, false
		}
		n = max(-mostDays, min(n, mostDays))
		return act.day(d.Time().AddDate(0, 0, int(n)))
	}
}

func dayOf(of fn[*model.Date], change func(time.Time) time.Time) fn[*model.Date] {
	return func(act *Activation) (*model.Date, bool) {
		d, ok := of(act)
		if !ok {
			return nil, false
		}
		return act.day(change(d.Time()))
	}
}

// day is the date of a time.
func (act *Activation) day(t time.Time) (*model.Date, bool) {
	if t.Year() < 1 || t.Year() > 9999 {
		act.fail(errOther, nil, "dates are of the years 1 to 9999")
		return nil, false
	}
	d := model.NewDate(t.Format(time.DateOnly))
	return &d, d.Valid
}
