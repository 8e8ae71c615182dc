package service

import (
	"maps"

	"einvoice/engine"
	"einvoice/rulesets"
)

// The findings that the operations make; rulesets/findings says what they say. Those of
// the schema check have the names of its rules.
const (
	noticeUnknownProfile = "PROFILE-UNKNOWN"
	noticeMissingRules   = "PROFILE-RULES-MISSING"
	noticeExpired        = "OVERLAY-EXPIRED"
	noticeStamped        = "STAMPED"
	noticeAmount         = "AMOUNT-DIFFERS"
	noticeNoPlace        = "NO-PLACE"
	noticeOtherwise      = "WRITTEN-OTHERWISE"
	noticeCharacter      = "XML-CHARACTER"
	noticeNotPrintable   = "NOT-PRINTABLE"
	noticeNotShown       = "NOT-SHOWN"
	noticePDFChanged     = "PDF-CHANGED"
	noticeContradict     = "PAGES-CONTRADICT"
	noticeNotCompared    = "PAGES-NOT-COMPARED"
	noticeCode           = "PARSE-CODE"
	noticeUnanswered     = "PARSE-MODEL"
	noticeVeraPDF        = "VERAPDF"
	noticeVeraPDFClause  = "VERAPDF-{clause}-{test}"
)

// values fill the names in the message of a notice.
type values map[string]string

// readNotices reads the library's notices. Those that it does not have are the ones
// that ship.
func (s *Service) readNotices() (engine.Notices, error) {
	builtIn, err := engine.Open(rulesets.FS)
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

// notice makes a finding of the program's own.
func (s *Service) notice(id, which string, with values) (engine.Finding, error) {
	all, err := s.notices()
	if err != nil {
		return engine.Finding{}, err
	}
	return all.Finding(id, which, with)
}
