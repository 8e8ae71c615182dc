package operation_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"einvoice/formats/parse"
	"einvoice/model/problem"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// lateTimer is a context whose timer never fires, as on a busy machine: its deadline is known, and
// passes without its hearing of it.
type lateTimer struct {
	context.Context
	end time.Time
}

func (c lateTimer) Deadline() (time.Time, bool) { return c.end, true }
func (lateTimer) Err() error                    { return nil }

// Where the time of a call ends while a PDF is read, the error is about the time and not about the
// PDF, whoever notices it first.
func TestTimeIsNoFaultOfThePDF(t *testing.T) {
	kit := kittest.Kit(t)
	sample, err := os.ReadFile("../../cmd/einvoice/samples/cii-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	extracted, err := operation.Named("extract").Run(t.Context(), kit, sample, &operation.Values{To: "json"})
	if err != nil {
		t.Fatal(err)
	}
	request := extracted.Data
	hybrid, err := operation.Named("create").Run(t.Context(), kit, request, &operation.Values{To: "facturx"})
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func(context.Context) error{
		"validate": func(ctx context.Context) error {
			_, err := kit.Validate(ctx, hybrid.Data, validate.Rules{})
			return err
		},
	}
	for _, o := range operation.All {
		data := hybrid.Data
		if o.Takes == operation.Request {
			data = request
		}
		for _, to := range o.To() {
			calls[o.Name+" "+to] = func(ctx context.Context) error {
				_, err := o.Run(ctx, kit, data, &operation.Values{To: to})
				return err
			}
		}
	}
	ended := 0
	for name, call := range calls {
		without := call(t.Context())
		for left := time.Microsecond; left < time.Minute; left *= 2 {
			err := call(lateTimer{t.Context(), time.Now().Add(left)})
			told, isProblem := errors.AsType[*problem.Error](err)
			switch {
			case err == nil, without != nil && err.Error() == without.Error():
				left = time.Hour
			case isProblem && told.Code == parse.CodeTimeout, errors.Is(err, context.DeadlineExceeded):
				ended++
			default:
				t.Errorf("%s with %s: %v", name, left, err)
			}
		}
	}
	if ended < 20 {
		t.Errorf("only %d calls ended with their time", ended)
	}
}
