package service

import (
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/quote"
)

// An output is what an operation makes: a format in one profile and syntax.
type output struct {
	format     *Format
	profile    *engine.Profile
	syntax     model.Syntax
	creditNote func(typeCode string) bool
	options    *Options
}

// output finds what a request asks for; without options it is the usual one.
func (s *Service) output(format string, o *Options) (*output, error) {
	if o == nil {
		o = &Options{}
	}
	f, id, syntax, wrong := choose(format, o)
	if wrong != nil {
		return nil, &WrongOptions{wrong}
	}
	profile, err := s.library.Profile(id)
	if err != nil {
		return nil, err
	}
	if profile.Stamp() == "" {
		return nil, fmt.Errorf("profile %s has no specification identifier to stamp; add one in rulesets/profiles", id)
	}
	creditNotes, err := s.library.CodeList(readCatalogue().CreditNotes)
	if err != nil {
		return nil, err
	}
	return &output{f, profile, syntax, creditNotes.Contains, o}, nil
}

// stamp sets the terms that the format and the profile decide. A specification
// identifier of the request that is replaced is reported.
func (s *Service) stamp(inv *model.Invoice, out *output) (findings []engine.Finding, err error) {
	id := out.profile.Stamp()
	if said := strings.TrimSpace(inv.SpecificationID.Raw); said != "" && said != id {
		f, err := s.notice(noticeStamped, "", values{"identifier": quote.Value(said), "profile": out.profile.Name})
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	out.stamp(inv)
	return findings, nil
}

// stamp sets these terms.
func (out *output) stamp(inv *model.Invoice) {
	inv.SpecificationID = model.NewText(out.profile.Stamp())
	process := readCatalogue().BusinessProcesses[out.profile.ID]
	switch {
	case out.options.BusinessProcess.Present:
		inv.BusinessProcessType = out.options.BusinessProcess
	case !inv.BusinessProcessType.Present && process != "":
		inv.BusinessProcessType = model.NewText(process)
	}
}
