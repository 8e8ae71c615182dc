package validate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/service/validate"
)

// The reader is given the context, and its error after the end is the context's.
func TestWithin(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if _, err := validate.Within(ctx, validate.New(nil, validate.Config{}), func(formats.Options) (int, error) { return 1, nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
}
