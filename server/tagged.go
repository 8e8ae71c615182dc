package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// sendTagged makes JSON the answer that a client may keep and ask for again: with an entity tag
// of what it says, and with 304 and no body where the client has it (RFC 9110, 13.1.2). The tag
// is weak, since the answer may be compressed.
func (x *exchange) sendTagged(value any) error {
	body, err := asJSON(value)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:16]) + `"`
	h := x.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache") // kept, and asked for again each time
	h.Add("Vary", "Accept-Language, Authorization")
	if hasTag(x.request.Header.Values("If-None-Match"), tag) {
		return x.send(http.StatusNotModified, "", nil)
	}
	return x.send(http.StatusOK, "application/json", body)
}

// hasTag reports whether a tag is among those of If-None-Match, which are compared weakly.
func hasTag(fields []string, tag string) bool {
	strong := strings.TrimPrefix(tag, "W/")
	for _, field := range fields {
		for one := range strings.SplitSeq(field, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == strong {
				return true
			}
		}
	}
	return false
}
