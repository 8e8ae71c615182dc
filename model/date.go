package model

import (
	"fmt"
	"time"

	"einvoice/model/source"
)

// Date is a calendar day. If it is Present but not Valid, Raw is not a date. A time
// zone, which xs:date allows, is kept in Raw and otherwise ignored, because dates of EN
// 16931 have none.
type Date struct {
	Raw     string
	Ref     source.Ref
	Year    int16
	Month   uint8
	Day     uint8
	Present bool
	Valid   bool
}

// NewDate reads a date in the form of xs:date (2026-11-20).
func NewDate(raw string) Date {
	d := Date{Raw: raw, Present: true}
	s := trimXMLSpace(raw)
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !isTimeZone(s[10:]) {
		return d
	}
	d.set(s[0:4], s[5:7], s[8:10])
	return d
}

// NewCompactDate reads a date in UN/CEFACT format 102 (20261120).
func NewCompactDate(raw string) Date {
	d := Date{Raw: raw, Present: true}
	if s := trimXMLSpace(raw); len(s) == 8 {
		d.set(s[0:4], s[4:6], s[6:8])
	}
	return d
}

func (d *Date) set(year, month, day string) {
	y, okY := parseDigits(year)
	m, okM := parseDigits(month)
	n, okD := parseDigits(day)
	if !okY || !okM || !okD || m < 1 || m > 12 || n < 1 || n > daysIn(y, m) {
		return
	}
	d.Year, d.Month, d.Day, d.Valid = int16(y), uint8(m), uint8(n), true
}

// daysIn is the number of days of a month, by the calendar that ISO 8601 uses for all years.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func parseDigits(s string) (n int, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != ""
}

// isTimeZone accepts "Z", "+01:00", and "" for none.
func isTimeZone(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	if len(s) != 6 || (s[0] != '+' && s[0] != '-') || s[3] != ':' {
		return false
	}
	h, okH := parseDigits(s[1:3])
	m, okM := parseDigits(s[4:6])
	return okH && okM && (h < 14 && m < 60 || h == 14 && m == 0)
}

// IsZero reports whether the term is absent.
func (d Date) IsZero() bool { return !d.Present }

// Compare orders by calendar: -1, 0 or 1.
func (d Date) Compare(e Date) int {
	return cmpInt64(d.ordinal(), e.ordinal())
}

func (d Date) ordinal() int64 { return int64(d.Year)*10000 + int64(d.Month)*100 + int64(d.Day) }

// Time is the beginning of the day in UTC; the zero Time if the date is not valid.
func (d Date) Time() time.Time {
	if !d.Valid {
		return time.Time{}
	}
	return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC)
}

// ISO writes the day as 2026-11-20.
func (d Date) ISO() string {
	year, month, day := uint16(d.Year), d.Month, d.Day // year 0 to 9999, as set reads it
	return string([]byte{
		digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), '-',
		digit(month / 10), digit(month), '-', digit(day / 10), digit(day),
	})
}

// digit writes the last digit of a number.
func digit[N uint8 | uint16](n N) byte { return '0' + byte(n%10) }

// Compact writes the day in UN/CEFACT format 102, 20261120.
func (d Date) Compact() string { return fmt.Sprintf("%04d%02d%02d", d.Year, d.Month, d.Day) }
