package validate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"strings"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/rulesets"
)

// The findings that validation makes; rulesets/findings says what they say. Those of the
// schema check have the names of its rules.
const (
	noticeUnknownProfile = "PROFILE-UNKNOWN"
	noticeMissingRules   = "PROFILE-RULES-MISSING"
	noticeWithoutRules   = "RULESET-WITHOUT-RULES"
	noticeExpired        = "OVERLAY-EXPIRED"
	noticeNotFresh       = "TABLE-NOT-FRESH"
)

// Values fill the names in the message of a notice.
type Values map[string]string

// readNotices reads the library's notices. Those that it does not have are the ones
// that ship.
func (s *Service) readNotices() (engine.Notices, error) {
	builtIn, err := shipped.Library()
	if err != nil {
		return nil, err
	}
	all, err := builtIn.Notices()
	if err != nil {
		return nil, err
	}
	own, err := s.library.Notices()
	if err != nil {
		return nil, err
	}
	maps.Copy(all, own)
	return all, nil
}

// OwnNotices names the files of findings that are not as they ship, with their digests: the levels
// of what the program finds itself are in them. "" for none.
func (s *Service) OwnNotices() string { return s.ownNotices }

func (s *Service) findOwnNotices() string {
	if builtIn, err := shipped.Library(); err == nil && builtIn == s.library {
		return ""
	}
	files, _ := fs.Glob(s.library.FS(), "findings/*.yaml") // a pattern that is right
	var own strings.Builder
	for _, name := range files {
		text, err := fs.ReadFile(s.library.FS(), name)
		if err != nil {
			continue // told where findings are read
		}
		if ships, err := fs.ReadFile(rulesets.FS, name); err != nil || !bytes.Equal(text, ships) {
			fmt.Fprintf(&own, "%s %x\n", name, sha256.Sum256(text))
		}
	}
	return own.String()
}

// Notice returns a finding of the program's own, which operations report beside those of
// rules: id is its rule, which is one of its cases or "", and with fills its message. The
// error says that rulesets/findings does not have it.
func (s *Service) Notice(id, which string, with Values) (engine.Finding, error) {
	all, err := s.notices()
	if err != nil {
		return engine.Finding{}, err
	}
	return all.Finding(id, which, with)
}
