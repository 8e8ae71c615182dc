package content_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf/content"
)

func scan(data string) (ops []string, err error) {
	err = content.Scan{}.Operators([]byte(data), func(op *content.Op) error {
		text := op.Name
		for _, a := range op.Args {
			text += fmt.Sprintf(" %v", a)
		}
		if op.Name == "BI" {
			text += fmt.Sprintf(" %v %q", op.Image, op.Data)
		}
		ops = append(ops, text)
		return nil
	})
	return ops, err
}

func TestScan(t *testing.T) {
	for in, want := range map[string]string{
		"q 1 0 0 1 -.5 +7. cm Q":                "q|cm {1 false} {0 false} {0 false} {1 false} {-0.5 true} {7 true}|Q",
		"/F#41 12 Tf (a\\(b\\)\\101\\\nc) Tj":   "Tf FA {12 false}|Tj " + fmt.Sprint([]byte("a(b)Ac")),
		"[<41 4> -3 (x)]TJ % remark\nT*":        "TJ [[65 64] {-3 false} [120]]|T*",
		"/P <</MCID 3/A true/B null>> BDC":      "BDC P map[A:true B:<nil> MCID:{3 false}]",
		"BI /W 2 /H 1 /BPC 8 /CS /G ID EI EI Q": "BI map[BPC:{8 false} CS:G H:{1 false} W:{2 false}] \"EI\"|Q",
		"BI /F /Fl /W 9 /H 9 ID a\x80EI b EI Q": "BI map[F:Fl H:{9 false} W:{9 false}] \"a\\x80EI b\"|Q",
		"(a(b)c) '":                             "' " + fmt.Sprint([]byte("a(b)c")),
		"":                                      "",
	} {
		ops, err := scan(in)
		if got := strings.Join(ops, "|"); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"(a", "<41", "[1 2", "<</A 1", "1 ]", "1 )", "1-2-3 w", "BI /W 1 ID x", "BI 3", strings.Repeat("[", 100), strings.Repeat("1 ", 9999)} {
		if _, err := scan(in); err == nil {
			t.Errorf("%.20q is read", in)
		} else if _, ok := errors.AsType[*content.Error](err); !ok {
			t.Errorf("%.20q: %v is no *content.Error", in, err)
		}
	}
}

// From and To are the position of operands and operator.
func TestSpan(t *testing.T) {
	data := "q /A gs  1 2\nm Q"
	want := []string{"q", "/A gs", "1 2\nm", "Q"}
	i := 0
	err := content.Scan{}.Operators([]byte(data), func(op *content.Op) error {
		if got := data[op.From:op.To]; got != want[i] {
			t.Errorf("got %q, want %q", got, want[i])
		}
		i++
		return nil
	})
	if err != nil || i != len(want) {
		t.Errorf("%d operators, %v", i, err)
	}
}

// A scan that skips errors goes on behind them, and Spend ends it within a token.
func TestSkipErrors(t *testing.T) {
	var ops []string
	scan := content.Scan{SkipErrors: true}
	err := scan.Operators([]byte("1 ) w [1 x ] 2 J BI /W 1 ID x q 1-2-3 j "+strings.Repeat("9", 500)+" M (a"), func(op *content.Op) error {
		ops = append(ops, fmt.Sprint(op.Name, len(op.Args)))
		return nil
	})
	if got, want := strings.Join(ops, " "), "w0 J1 x0 q0 j0 M0"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	over := errors.New("over")
	scan.Spend = func(int) error { return over }
	if err := scan.Operators([]byte(strings.Repeat("(", 1<<20)), func(*content.Op) error { return nil }); !errors.Is(err, over) {
		t.Errorf("got %v", err)
	}
}

// Hexadecimal strings that are read leniently are told, with their places.
func TestBadStrings(t *testing.T) {
	data := "[<4 1> <41 4> <4x1>] TJ <41> Tj <414> Tj"
	var got []string
	err := content.Scan{}.Operators([]byte(data), func(op *content.Op) error {
		for _, b := range op.BadStrings {
			got = append(got, fmt.Sprintf("%s %X", data[b.From:b.To], []byte(b.Value)))
		}
		return nil
	})
	if got, want := strings.Join(got, "|"), "<41 4> 4140|<4x1> 41|<414> 4140"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("q BT /F1 12 Tf (a) Tj [(b) 3] TJ ET BI /W 1 /H 1 ID x EI Q"))
	f.Fuzz(func(t *testing.T, data []byte) {
		last, spent := 0, 0
		scan := content.Scan{SkipErrors: true, Spend: func(bytes int) error {
			if bytes < 0 {
				t.Fatalf("%d bytes are read", bytes)
			}
			spent += bytes
			return nil
		}}
		_ = scan.Operators(data, func(op *content.Op) error { // what cannot be read is an error
			if op.From < last || op.To < op.From || op.To > len(data) {
				t.Fatalf("an operator is at %d to %d after %d", op.From, op.To, last)
			}
			last = op.To
			return nil
		})
		if spent > len(data)+1 { // behind an error in the last byte
			t.Fatalf("%d bytes are read of %d", spent, len(data))
		}
	})
}
