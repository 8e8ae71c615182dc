package schema

import "strings"

// isDate accepts a date with or without a time zone.
func isDate(s string) bool {
	s, ok := cutDate(s)
	return ok && isZone(s)
}

// isTime accepts a time of day with or without a time zone.
func isTime(s string) bool {
	s, ok := cutTime(s)
	return ok && isZone(s)
}

// isDateTime accepts a date and time with or without a time zone.
func isDateTime(s string) bool {
	s, ok := cutDate(s)
	return ok && s != "" && s[0] == 'T' && isTime(s[1:])
}

// partOfDate accepts values that become a date if the mark at their start is replaced
// by before, and after is appended. A time zone may follow.
func partOfDate(mark, before, after string) func(string) bool {
	return func(s string) bool {
		s, ok := strings.CutPrefix(s, mark)
		zone := ""
		if n := len(s) - len("+00:00"); n >= 0 && s[n+3] == ':' {
			s, zone = s[:n], s[n:]
		} else {
			s = strings.TrimSuffix(s, "Z")
		}
		return ok && isZone(zone) && isDate(before+s+after)
	}
}

// cutDate reads a date and returns what follows it.
func cutDate(s string) (rest string, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative {
		s = s[1:]
	}
	n := digits(s)
	// A year has four digits, or more without a leading zero. There is no year 0.
	if n < 4 || n > 4 && s[0] == '0' || n == 4 && s[:4] == "0000" {
		return "", false
	}
	year := number(s[n-4 : n]) // leap years repeat every 400 years, so the last four digits are enough
	s = s[n:]
	if len(s) < len("-00-00") || s[0] != '-' || digits(s[1:3]) != 2 || s[3] != '-' || digits(s[4:6]) != 2 {
		return "", false
	}
	month, day := number(s[1:3]), number(s[4:6])
	return s[6:], 1 <= month && month <= 12 && 1 <= day && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// cutTime reads hours, minutes, seconds and their fraction, and returns what follows
// them. 24:00:00 is the end of a day.
func cutTime(s string) (rest string, ok bool) {
	if len(s) < len("00:00:00") || digits(s[:2]) != 2 || s[2] != ':' || digits(s[3:5]) != 2 || s[5] != ':' || digits(s[6:8]) != 2 {
		return "", false
	}
	hour, minute, second := number(s[:2]), number(s[3:5]), number(s[6:8])
	s = s[8:]
	fraction := ""
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return "", false
		}
		fraction, s = s[1:1+n], s[1+n:]
	}
	if hour == 24 {
		return s, minute == 0 && second == 0 && strings.Trim(fraction, "0") == ""
	}
	return s, hour < 24 && minute < 60 && second < 60
}

// isZone accepts a time zone, or nothing.
func isZone(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	if len(s) != len("+00:00") || s[0] != '+' && s[0] != '-' || digits(s[1:3]) != 2 || s[3] != ':' || digits(s[4:6]) != 2 {
		return false
	}
	hour, minute := number(s[1:3]), number(s[4:6])
	return hour < 14 && minute < 60 || hour == 14 && minute == 0
}

// number is the value of a few digits.
func number(s string) int {
	n := 0
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
