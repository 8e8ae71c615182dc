// Package refusal has every way in which the service refuses a request: the codes with their
// status and words, and the error that its rooms return.
package refusal

import "fmt"

// A Refusal is why a request is not served.
type Refusal struct {
	Code       string
	Detail     string
	RetryAfter int // seconds; 0 for nothing to wait for
}

// New makes a Refusal of a code of the registry.
func New(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// After is the refusal with the seconds after which the request may be served.
func (r *Refusal) After(seconds int) *Refusal {
	r.RetryAfter = seconds
	return r
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// Reused is the refusal of an idempotency key that had another request before.
func Reused() error {
	return New(KeyReused, "The Idempotency-Key was used before for another request. Take a new one for each request.")
}
