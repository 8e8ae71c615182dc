package write

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
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
	NoticeCharacter = "XML-CHARACTER"
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

// Find returns the output that options name; without options, the default of the format. An
// error is a *problem.WrongOptions, which has the further mistakes as well.
func Find(s *validate.Service, format string, o *Options, further ...*problem.Error) (*Output, error) {
	if o == nil {
		o = &Options{}
	}
	f, id, syntax, wrong := choose(format, o)
	if e, ok := errors.AsType[*problem.Error](CheckDate(o.Date)); ok {
		wrong = append(wrong, e)
	}
	if wrong = append(wrong, further...); wrong != nil {
		return nil, &problem.WrongOptions{Wrong: wrong}
	}
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
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

// CreditNotes returns a function that reports whether a type code (BT-3) is that of a credit
// note. The error says that the code list does not load.
func CreditNotes(s *validate.Service) (func(typeCode string) bool, error) {
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	list, err := s.Library().CodeList(catalogue.Read().CreditNotes)
	if err != nil {
		return nil, err
	}
	return list.Contains, nil
}

// StampAndTell is Stamp, and reports a specification identifier and a business process of the
// request that are replaced.
func (out *Output) StampAndTell(inv *model.Invoice) (findings []engine.Finding, err error) {
	id := out.Profile.Stamp()
	if said := strings.TrimSpace(inv.SpecificationID.Raw); said != "" && said != id {
		f, err := out.service.Notice(noticeStamped, "", validate.Values{"identifier": quote.Value(said), "profile": out.Profile.Name})
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	if said, asked := inv.BusinessProcessType, out.Options.BusinessProcess; said.Present && asked.Present && said.Raw != asked.Raw {
		replaced, err := out.LossFindings([]formats.Loss{{Kind: binding.Changed, Field: "businessProcessType", BTCode: "BT-23", Value: said.Raw, Reason: "the options of the request ask for another one"}})
		if err != nil {
			return nil, err
		}
		findings = append(findings, replaced...)
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
