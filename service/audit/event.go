package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path"

	"einvoice/model/pattern"
)

// Removed is the verdict that the log has of a document that was kept long enough.
const Removed = "removed"

// ReportEnding is behind the name of a document in that of its report.
const ReportEnding = ".report.json"

// An Event is what the log says of a document.
type Event struct {
	File   string `json:"file"`   // its name
	Source string `json:"source"` // where it came from
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	// Verdict is the place that it went to; removed for one that was kept long enough.
	Verdict string `json:"verdict"`
	Report  string `json:"report,omitempty"` // SHA-256
	Rules   string `json:"rules,omitempty"`  // digest of rules, options and program
	// Program and what follows is of archives, where documents and reports have the names of
	// their digests. The digests of each ruleset and overlay are in the report.
	Program  string `json:"program,omitempty"`
	Seller   string `json:"seller,omitempty"`
	Month    string `json:"month,omitempty"` // of the issue date, as 2026-11
	Findings int    `json:"findings,omitempty"`
	// Day is the day on which it was decided, where that decided about anything: Add decides again
	// on a later one.
	Day string `json:"day,omitempty"`
	// Said is the digest of the report without the day: where it is the same on a later one, there is
	// nothing to add.
	Said string `json:"said,omitempty"`
}

// The folders of an archive.
const (
	documentsFolder = "documents/"
	reportsFolder   = "reports/"
)

// Document is the name of the document in the target.
func (e *Event) Document() string {
	if e.Program == "" {
		return e.Verdict + "/" + e.File
	}
	return addressOf(documentsFolder, e.SHA256, path.Ext(e.File))
}

// ReportName is the name of its report.
func (e *Event) ReportName() string {
	if e.Program == "" {
		return e.Document() + ReportEnding
	}
	return addressOf(reportsFolder, e.Report, ".json")
}

// ending is what an ending of a name has to be for a document to be kept with it: anything else may
// be no text, or have no room in a name.
var ending = pattern.Later(`^\.[A-Za-z0-9]{1,16}$`)

// addressOf is the name of what has a digest.
func addressOf(folder, digest, end string) string {
	if !ending().MatchString(end) {
		end = ""
	}
	return folder + digest[:min(2, len(digest))] + "/" + digest + end
}

// Events reads a log and gives each event with its line to see.
func Events(r io.Reader, see func(Line, *Event) error) (events int, digest string, err error) {
	return Verify(r, func(line Line) error {
		e, err := line.event()
		if err != nil {
			return err
		}
		return see(line, e)
	})
}

func (l *Line) event() (*Event, error) {
	e := &Event{}
	return e, json.Unmarshal(l.Event, e)
}

// Sum is the SHA-256 of data in hexadecimal.
func Sum(data []byte) string { return digestOf(data) }

// SumOf is the SHA-256 in hexadecimal of what was opened, and its size.
func SumOf(r io.ReadCloser, err error) (sum string, size int64, _ error) {
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	size, err = io.Copy(hash, r)
	return hex.EncodeToString(hash.Sum(nil)), size, errors.Join(err, r.Close())
}
