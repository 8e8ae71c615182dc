package write

import (
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
)

// The findings that making a document adds; rulesets/findings says what they say.
const (
	noticeStamped   = "STAMPED"
	noticeNoPlace   = "NO-PLACE"
	noticeOtherwise = "WRITTEN-OTHERWISE"
	noticeCharacter = "XML-CHARACTER"
)

// An Output is what an operation makes: a format in one profile and syntax.
type Output struct {
	Format  *catalogue.Format
	Profile *engine.Profile
	Syntax  model.Syntax
	Options *Options

	service    *validate.Service
	creditNote func(typeCode string) bool
}

// Find finds what a request asks for; without options it is the usual one. An error is a
// *problem.WrongOptions, with what else is wrong with the options.
func Find(s *validate.Service, format string, o *Options, further ...*problem.Error) (*Output, error) {
	if o == nil {
		o = &Options{}
	}
	f, id, syntax, wrong := choose(format, o)
	if wrong = append(wrong, further...); wrong != nil {
		return nil, &problem.WrongOptions{Wrong: wrong}
	}
	profile, err := s.Library().Profile(id)
	if err != nil {
		return nil, err
	}
	if profile.Stamp() == "" {
		return nil, fmt.Errorf("profile %s has no specification identifier to stamp; add one in rulesets/profiles", id)
	}
	creditNotes, err := CreditNotes(s)
	if err != nil {
		return nil, err
	}
	return &Output{f, profile, syntax, o, s, creditNotes}, nil
}

// CreditNotes tells by the type code (BT-3) whether a document is a credit note.
func CreditNotes(s *validate.Service) (func(typeCode string) bool, error) {
	list, err := s.Library().CodeList(catalogue.Read().CreditNotes)
	if err != nil {
		return nil, err
	}
	return list.Contains, nil
}

// StampAndTell is Stamp, and reports a specification identifier of the request that is
// replaced.
func (out *Output) StampAndTell(inv *model.Invoice) (findings []engine.Finding, err error) {
	id := out.Profile.Stamp()
	if said := strings.TrimSpace(inv.SpecificationID.Raw); said != "" && said != id {
		f, err := out.service.Notice(noticeStamped, "", validate.Values{"identifier": quote.Value(said), "profile": out.Profile.Name})
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	out.Stamp(inv)
	return findings, nil
}

// Stamp sets the terms that the format and the profile decide.
func (out *Output) Stamp(inv *model.Invoice) {
	inv.SpecificationID = model.NewText(out.Profile.Stamp())
	process := catalogue.Read().BusinessProcesses[out.Profile.ID]
	switch {
	case out.Options.BusinessProcess.Present:
		inv.BusinessProcessType = out.Options.BusinessProcess
	case !inv.BusinessProcessType.Present && process != "":
		inv.BusinessProcessType = model.NewText(process)
	}
}
