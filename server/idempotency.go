package server

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"einvoice/server/refusal"
)

// longestIdempotencyKey bounds the header.
const longestIdempotencyKey = 255

// idempotencyKey is what a client gives a request so that what it begins is begun once, however
// often it is sent; "" for none.
func (x *exchange) idempotencyKey() (string, error) {
	key := x.request.Header.Get("Idempotency-Key")
	if len(key) > longestIdempotencyKey {
		return "", newProblem(refusal.RequestInvalid, "The Idempotency-Key has more than %d bytes. Take a shorter one, such as a UUID.", longestIdempotencyKey)
	}
	return key, nil
}

// digestOf is the SHA-256 of texts.
func digestOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}
