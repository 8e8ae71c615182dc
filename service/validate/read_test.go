package validate

import (
	"context"
	"errors"
	"testing"
	"time"

	"einvoice/formats"
)

// The reader is given the context, and its error after the end is the context's.
func TestWithin(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if _, err := within(ctx, formats.Options{}, func(formats.Options) (int, error) { return 1, nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
}
