package service

import (
	"einvoice/engine"
)

// The findings that the operations make; rulesets/findings says what they say. Those of
// the schema check have the names of its rules.
const (
	noticeUnknownProfile = "PROFILE-UNKNOWN"
	noticeStamped        = "STAMPED"
	noticeNoPlace        = "NO-PLACE"
	noticeOtherwise      = "WRITTEN-OTHERWISE"
	noticeCharacter      = "XML-CHARACTER"
	noticeNotPrintable   = "NOT-PRINTABLE"
	noticePDFChanged     = "PDF-CHANGED"
	noticeVeraPDF        = "VERAPDF"
	noticeVeraPDFClause  = "VERAPDF-{clause}-{test}"
)

// values fill the names in the message of a notice.
type values map[string]string

// notice makes a finding of the program's own.
func (s *Service) notice(id, which string, with values) (engine.Finding, error) {
	all, err := s.notices()
	if err != nil {
		return engine.Finding{}, err
	}
	return all.Finding(id, which, with)
}
