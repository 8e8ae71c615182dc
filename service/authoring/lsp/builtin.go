package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"einvoice/service/authoring"
)

// Severities of the protocol.
const (
	severityError   = 1
	severityWarning = 2
)

// Built-in files are inside the program. An editor that is to show one needs it on disk:
// copies are in the user's cache, each below the digest of its text, so that every version
// of the program has its own and none is written twice.

// folderOfCopies is where copies are; "" where the user has no cache.
func folderOfCopies() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "einvoice", "rulesets")
}

// isCopy reports whether a folder is one of copies, which nobody edits.
func (s *server) isCopy(folder string) bool {
	return s.copies != "" && strings.HasPrefix(filepath.ToSlash(folder)+"/", filepath.ToSlash(s.copies)+"/")
}

// builtIn is a place in a copy of a built-in file; nil where there is no such file, or no
// cache.
func (s *server) builtIn(place authoring.Place) (any, error) {
	data, err := fs.ReadFile(s.base, place.File)
	if err != nil || s.copies == "" {
		return nil, nil //nolint:nilerr // then there is nothing to go to
	}
	digest := sha256.Sum256(data)
	file := filepath.Join(s.copies, hex.EncodeToString(digest[:6]), filepath.FromSlash(place.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	const readOnly = 0o444
	if err := os.WriteFile(file, data, readOnly); err != nil && !errors.Is(err, fs.ErrPermission) { // that of a copy that is there
		return nil, err
	}
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	at := position{max(place.Line, 1) - 1, 0}
	return &location{uri, textRange{at, at}}, nil
}
