// Package keys has the API keys of the service: the file of their hashes, those in force, and
// how often a client may ask.
package keys

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"einvoice/server/changed"
)

// A Key is what is kept of an API key: never the key itself. A key has some 130
// random bits, so that a plain SHA-256 cannot be searched; slow hashes are for
// passwords.
type Key struct {
	ID      string
	Name    string
	Created time.Time
	Revoked time.Time // zero while the key works
	Expires time.Time // zero for a key that works until it is revoked
	// Operations are those that the key may ask for, such as validate; nil for all.
	Operations []string
	// Overlays apply to whatever is validated with the key; MayOmit are those of them, and of
	// the service, that a request with it may leave out.
	Overlays, MayOmit []string

	hash [sha256.Size]byte
}

// A key reads einv_<id>_<secret>. The prefix lets scanners find a key that went
// where it should not be; the id is not a secret and appears in logs.
const keyPrefix = "einv_"

// New makes a key and what is to be kept of it.
func New(name string, now time.Time) (secret string, k Key, err error) {
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
//	expires <id> <when>
//	operations <id> <operation>,...
//	overlays <id> <overlay>,...
//	may-omit <id> <overlay>,...
//	revoked <id> <when>
const keyFileHead = "# API keys of einvoice: hashes only. Written by `einvoice keys`; one event a line.\n"

// Limits are what a key is limited to; the zero value is not a limit.
type Limits struct {
	Expires           time.Time
	Operations        []string
	Overlays, MayOmit []string
}

// Add makes a key, appends it to a key file, which is made if need be, and
// returns the key; nothing can show it again.
func Add(path, name string, limits Limits) (secret string, k Key, err error) {
	if _, err := Read(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", Key{}, err
	}
	now := time.Now()
	if !limits.Expires.IsZero() && !limits.Expires.After(now) {
		return "", Key{}, fmt.Errorf("a key that expires %s works at no time; give a time to come", limits.Expires.Format(time.RFC3339))
	}
	if err := checkOperations(limits.Operations); err != nil {
		return "", Key{}, err
	}
	for _, name := range slices.Concat(limits.Overlays, limits.MayOmit) {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
			return "", Key{}, fmt.Errorf("%q is not a name of an overlay", name)
		}
	}
	secret, k, err = New(name, now)
	if err != nil {
		return "", Key{}, err
	}
	k.Expires, k.Operations = limits.Expires.UTC().Truncate(time.Second), limits.Operations
	lines := []string{fmt.Sprintf("key %s sha256:%s %s %s", k.ID, hex.EncodeToString(k.hash[:]), k.Created.Format(time.RFC3339), k.Name)}
	if !limits.Expires.IsZero() {
		lines = append(lines, fmt.Sprintf("expires %s %s", k.ID, k.Expires.Format(time.RFC3339)))
	}
	if len(k.Operations) > 0 {
		lines = append(lines, fmt.Sprintf("operations %s %s", k.ID, strings.Join(k.Operations, ",")))
	}
	k.Overlays, k.MayOmit = limits.Overlays, limits.MayOmit
	if len(k.Overlays) > 0 {
		lines = append(lines, fmt.Sprintf("overlays %s %s", k.ID, strings.Join(k.Overlays, ",")))
	}
	if len(k.MayOmit) > 0 {
		lines = append(lines, fmt.Sprintf("may-omit %s %s", k.ID, strings.Join(k.MayOmit, ",")))
	}
	return secret, k, appendLine(path, strings.Join(lines, "\n"))
}

// Operations are the groups of the interface that a key can be limited to: the first part
// of a path after /v1.
var Operations = []string{"validate", "create", "convert", "transform", "embed", "render", "extract", "parse", "bulk", "rules", "rulesets", "workbench"}

func checkOperations(names []string) error {
	for _, name := range names {
		if !slices.Contains(Operations, name) {
			return fmt.Errorf("there is no operation %q; there are %s", name, strings.Join(Operations, ", "))
		}
	}
	return nil
}

// OperationOf is the operation of a route.
func OperationOf(route string) string {
	operation, _, _ := strings.Cut(strings.TrimPrefix(route, "/v1/"), "/")
	return operation
}

// May reports whether a key may ask for an operation.
func (k *Key) May(operation string) bool {
	return k.Operations == nil || slices.Contains(k.Operations, operation)
}

// HasExpired reports whether the key no longer works at a time.
func (k *Key) HasExpired(now time.Time) bool { return !k.Expires.IsZero() && !now.Before(k.Expires) }

// IsOpen reports whether others than its owner and group can read or write a key file.
// The file has hashes only, but who writes it lets himself in.
func IsOpen(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o006 != 0
}

// Revoke appends to a key file that a key no longer works.
func Revoke(path, id string) error {
	keys, err := Read(path)
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

// Read reads a key file, revoked keys included.
func Read(path string) ([]Key, error) {
	data, err := changed.Read("key file", path)
	if err != nil {
		return nil, err
	}
	keys, err := Parse(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return keys, nil
}

// Parse reads what a key file has.
func Parse(r io.Reader) ([]Key, error) {
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
		case "expires", "operations", "overlays", "may-omit", "revoked":
			id, what, _ := strings.Cut(rest, " ")
			k := find(id)
			if k == nil {
				err = fmt.Errorf("key %s was never made", id)
				break
			}
			err = k.take(event, strings.TrimSpace(what))
		default:
			err = fmt.Errorf("a line begins with \"key\", \"expires\", \"operations\", \"overlays\", \"may-omit\" or \"revoked\"")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return keys, lines.Err()
}

// take reads what became of a key after it was made.
func (k *Key) take(event, what string) (err error) {
	switch event {
	case "expires":
		k.Expires, err = time.Parse(time.RFC3339, what)
	case "revoked":
		k.Revoked, err = time.Parse(time.RFC3339, what)
	case "overlays":
		k.Overlays = strings.Split(what, ",")
	case "may-omit":
		k.MayOmit = strings.Split(what, ",")
	default:
		k.Operations = strings.Split(what, ",")
		err = checkOperations(k.Operations)
	}
	return err
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
