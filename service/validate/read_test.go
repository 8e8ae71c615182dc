package validate

import (
	"context"
	"errors"
	"testing"
	"time"

	"einvoice/formats"
)

// The reader of PDFs is given what is left of the context's time, be it less or more
// than its own limit.
func TestWithin(t *testing.T) {
	for _, left := range []time.Duration{time.Minute, time.Hour} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		defer cancel()
		got, err := within(ctx, formats.Options{}, func(options formats.Options) (time.Duration, error) { return options.PDFTime, nil })
		if err != nil || got > left || got < left-30*time.Second {
			t.Errorf("of %s, a PDF gets %s, %v", left, got, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if _, err := within(ctx, formats.Options{}, func(formats.Options) (int, error) { return 1, nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
}
