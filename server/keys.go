package server

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
)

// A Key is what is kept of an API key: never the key itself. A key has some 130
// random bits, so that a plain SHA-256 cannot be searched; slow hashes are for
// passwords.
type Key struct {
	ID      string
	Name    string
	Created time.Time
	Revoked time.Time // zero while the key works

	hash [sha256.Size]byte
}

// A key reads einv_<id>_<secret>. The prefix lets scanners find a key that went
// where it should not be; the id is no secret and appears in logs.
const keyPrefix = "einv_"

// newKey makes a key and what is to be kept of it.
func newKey(name string, now time.Time) (secret string, k Key, err error) {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) || len(name) > 100 {
		return "", Key{}, errors.New("a key needs a name of 1 to 100 printable characters, such as the program that will use it")
	}
	id := strings.ToLower(rand.Text()[:8])
	secret = keyPrefix + id + "_" + rand.Text()
	return secret, Key{ID: id, Name: name, Created: now.UTC().Truncate(time.Second), hash: sha256.Sum256([]byte(secret))}, nil
}

// The key file has a line for each event and is only ever appended to, so that
// two commands at a time do no harm and the past stays readable:
//
//	key <id> sha256:<hash> <created> <name>
//	revoked <id> <when>
const keyFileHead = "# API keys of einvoice: hashes only. Written by `einvoice keys`; one event a line.\n"

// AddKey makes a key, appends it to a key file, which is made if need be, and
// returns the key; nothing can show it again.
func AddKey(path, name string) (secret string, k Key, err error) {
	if _, err := ReadKeys(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", Key{}, err
	}
	secret, k, err = newKey(name, time.Now())
	if err != nil {
		return "", Key{}, err
	}
	return secret, k, appendLine(path, fmt.Sprintf("key %s sha256:%s %s %s", k.ID, hex.EncodeToString(k.hash[:]), k.Created.Format(time.RFC3339), k.Name))
}

// RevokeKey appends to a key file that a key no longer works.
func RevokeKey(path, id string) error {
	keys, err := ReadKeys(path)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.ID != id {
			continue
		}
		if !k.Revoked.IsZero() {
			return fmt.Errorf("key %s was revoked %s", id, k.Revoked.Format(time.RFC3339))
		}
		return appendLine(path, fmt.Sprintf("revoked %s %s", id, time.Now().UTC().Format(time.RFC3339)))
	}
	return fmt.Errorf("there is no key %s in %s", id, path)
}

func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	text := line + "\n"
	if info.Size() == 0 {
		text = keyFileHead + text
	} else if last := make([]byte, 1); info.Mode().IsRegular() {
		if _, err := f.ReadAt(last, info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' { // someone edited the file by hand
			text = "\n" + text
		}
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Sync()
}

// ReadKeys reads a key file, revoked keys included.
func ReadKeys(path string) ([]Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	keys, err := parseKeys(f)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return keys, nil
}

func parseKeys(r io.Reader) ([]Key, error) {
	var keys []Key
	find := func(id string) *Key {
		for i := range keys {
			if keys[i].ID == id {
				return &keys[i]
			}
		}
		return nil
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		event, rest, _ := strings.Cut(line, " ")
		var err error
		switch event {
		case "key":
			var k Key
			if k, err = parseKey(rest); err == nil && find(k.ID) != nil {
				err = fmt.Errorf("key %s is there twice", k.ID)
			}
			keys = append(keys, k)
		case "revoked":
			id, when, _ := strings.Cut(rest, " ")
			k := find(id)
			if k == nil {
				err = fmt.Errorf("key %s is revoked but was never made", id)
				break
			}
			k.Revoked, err = time.Parse(time.RFC3339, strings.TrimSpace(when))
		default:
			err = fmt.Errorf("a line begins with \"key\" or \"revoked\"")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return keys, lines.Err()
}

func parseKey(rest string) (k Key, err error) {
	fields := strings.SplitN(rest, " ", 4)
	if len(fields) != 4 || fields[0] == "" {
		return k, errors.New("expected: key <id> sha256:<hash> <created> <name>")
	}
	k.ID, k.Name = fields[0], strings.TrimSpace(fields[3])
	digest, ok := strings.CutPrefix(fields[1], "sha256:")
	hash, err := hex.DecodeString(digest)
	if !ok || err != nil || len(hash) != len(k.hash) {
		return k, errors.New("the hash is not sha256: and 64 hexadecimal digits")
	}
	copy(k.hash[:], hash)
	if k.Created, err = time.Parse(time.RFC3339, fields[2]); err != nil {
		return k, err
	}
	return k, nil
}

// idOf takes the id out of a key that a client sent.
func idOf(secret string) string {
	rest, ok := strings.CutPrefix(secret, keyPrefix)
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "_")
	return id
}

// matches compares in constant time.
func (k *Key) matches(secret string) bool {
	hash := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(hash[:], k.hash[:]) == 1 && k.Revoked.IsZero()
}
