package validate

import "context"

type reserveKey struct{}

// Reserving returns a context in which operations ask before they parse a document, or one
// that is attached to it: they call reserve with its XML, and an error of reserve refuses the
// document. A server bounds the memory of all operations together in this way.
func Reserving(ctx context.Context, reserve func(document []byte) error) context.Context {
	return context.WithValue(ctx, reserveKey{}, reserve)
}

func reserving(ctx context.Context) func([]byte) error {
	reserve, _ := ctx.Value(reserveKey{}).(func([]byte) error)
	return reserve
}
