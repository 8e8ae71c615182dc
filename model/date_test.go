package model_test

import (
	"fmt"
	"testing"
	"time"

	"einvoice/model"
)

// A date is valid if the calendar has the day, and it is written as it was read.
func TestCalendar(t *testing.T) {
	for year := range 10_000 {
		for month := 1; month <= 12; month++ {
			for _, day := range []int{0, 1, 28, 29, 30, 31, 32} {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				date := model.NewDate(text)
				on := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
				if want := on.Month() == time.Month(month) && on.Day() == day; date.Valid != want {
					t.Fatalf("%s is valid: %t, want %t", text, date.Valid, want)
				}
				if date.Valid && date.ISO() != text {
					t.Fatalf("%s is written as %s", text, date.ISO())
				}
			}
		}
	}
}
