package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"einvoice/server/changed"
)

// secretPrefix begins a secret in writing.
const secretPrefix = "whsec_"

// Bounds of a secret, in bytes.
const (
	shortestSecret = 24
	longestSecret  = 64
)

// readSecrets reads the secrets of a file, one a line. Each signs, so that a receiver can go over
// from one to the next.
func readSecrets(path string) (secrets [][]byte, err error) {
	data, err := changed.Read("file of secrets", path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		encoded, is := strings.CutPrefix(text, secretPrefix)
		secret, err := base64.StdEncoding.DecodeString(encoded)
		if !is || err != nil || len(secret) < shortestSecret || len(secret) > longestSecret {
			return nil, fmt.Errorf("%s: a line is not a secret; write %s and the Base64 of %d to %d bytes, as of: openssl rand -base64 32", path, secretPrefix, shortestSecret, longestSecret)
		}
		secrets = append(secrets, secret)
	}
	if len(secrets) == 0 {
		return nil, errors.New(path + " has no secret")
	}
	return secrets, nil
}

// signatures are what the header webhook-signature has.
func signatures(secrets [][]byte, id string, at time.Time, body []byte) string {
	all := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		all[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(all, " ")
}
