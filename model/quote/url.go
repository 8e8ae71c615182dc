package quote

import (
	"errors"
	"net/url"
)

// WithoutURL is an error of a request without the address that it was sent to, which may hold a
// token or a password: errors are logged and shown to others.
func WithoutURL(err error) error {
	if of, is := errors.AsType[*url.Error](err); is {
		return of.Err
	}
	return err
}
