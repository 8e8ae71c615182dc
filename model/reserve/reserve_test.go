package reserve_test

import (
	"errors"
	"testing"

	"einvoice/model/reserve"
)

// Of several calls for one use the largest counts, and what was refused is not had.
func TestAtOnce(t *testing.T) {
	if err := reserve.AtOnce(t.Context(), "work", 1<<40); err != nil {
		t.Errorf("without a bound: %v", err)
	}
	full, taken := errors.New("full"), int64(0)
	ctx := reserve.With(t.Context(), func(n int64) error {
		if taken+n > 100 {
			return full
		}
		taken += n
		return nil
	})
	for _, step := range []struct {
		use          string
		bytes, taken int64
		err          error
	}{{"work", 40, 40, nil}, {"work", 30, 40, nil}, {"work", 70, 70, nil}, {"work", 101, 70, full}, {"more", 31, 70, full}, {"more", 20, 90, nil}, {"work", 80, 100, nil}} {
		if err := reserve.AtOnce(ctx, step.use, step.bytes); !errors.Is(err, step.err) || taken != step.taken {
			t.Errorf("%d bytes: %d are taken, %v", step.bytes, taken, err)
		}
	}
}
