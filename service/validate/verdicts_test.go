package validate_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/convert"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

const suites = "../../../shared/suites"

// Why a rule may say something else of a document that was converted.
const (
	byArtefact = "the published artefacts decide it differently in the two syntaxes"
	byAbsence  = "the artefact looks at an element that the other syntax has no equal of"
	byRoot     = "the type code decides between invoice and credit note, whatever the source's root was"
	byForm     = "canonical form: currencies only where they are needed, no empty elements"
	byPlace    = "what is read from several places is written in one"
	byLoss     = "what is not carried over is reported"
)

// verdictsDiffer are the rules whose verdict a conversion changes: "gone" where
// nothing was lost, "new" always.
var verdictsDiffer = map[string]string{
	"cii>cii gone CII-DT-031": byForm, "cii>cii gone PEPPOL-EN16931-R008": byForm,
	"cii>cii gone PEPPOL-EN16931-R043-1": byForm, "cii>cii gone PEPPOL-EN16931-R043-2": byForm, "cii>cii gone PEPPOL-EN16931-R044": byForm,
	"cii>cii gone CII-SR-461": byPlace,

	"ubl>ubl gone BR-CL-01": byRoot, "ubl>ubl new BR-DE-26": byRoot,
	"ubl>ubl gone PEPPOL-EN16931-R008": byForm, "ubl>ubl gone PEPPOL-EN16931-R043": byForm, "ubl>ubl gone PEPPOL-EN16931-R044": byForm,
	"ubl>ubl new BR-CO-14": byLoss, "ubl>ubl new PEPPOL-EN16931-R054": byLoss,

	"cii>ubl gone BR-CO-14": byArtefact, "cii>ubl gone BR-CO-15": byArtefact, "cii>ubl gone BR-DE-13": byArtefact,
	"cii>ubl gone BR-DE-21": byArtefact, "cii>ubl gone BR-DE-23-b": byArtefact, "cii>ubl gone BR-DE-24-b": byArtefact,
	"cii>ubl gone BR-DE-30": byArtefact, "cii>ubl gone BR-DE-31": byArtefact, "cii>ubl gone BR-DEC-15": byArtefact,
	"cii>ubl gone BR-G-01": byArtefact, "cii>ubl gone BR-IC-01": byArtefact, "cii>ubl gone BR-O-01": byArtefact,
	"cii>ubl gone BR-O-11": byArtefact, "cii>ubl gone PEPPOL-EN16931-R008": byForm,
	"cii>ubl gone PEPPOL-EN16931-R010": byForm, "cii>ubl gone PEPPOL-EN16931-R020": byForm, "cii>ubl gone PEPPOL-EN16931-R046": byPlace,
	"cii>ubl new BR-61": byArtefact, "cii>ubl new BR-CO-15": byArtefact, "cii>ubl new BR-CO-18": byArtefact,
	"cii>ubl new BR-DEX-01": byArtefact, "cii>ubl new BR-E-08": byArtefact, "cii>ubl new BR-S-01": byArtefact,
	"cii>ubl new PEPPOL-EN16931-R053": byArtefact, "cii>ubl new PEPPOL-EN16931-R054": byArtefact,
	"cii>ubl new XSD-MISSING": "the source lacks terms that the other schema demands",

	"ubl>cii gone BR-61": byArtefact, "ubl>cii gone BR-CL-01": byRoot, "ubl>cii gone BR-DE-26": byArtefact,
	"ubl>cii gone BR-DEX-10": byAbsence, "ubl>cii gone BR-DEX-11": byAbsence, "ubl>cii gone BR-DEX-12": byAbsence, "ubl>cii gone BR-DEX-14": byAbsence,
	"ubl>cii gone BR-S-01": byArtefact, "ubl>cii gone PEPPOL-EN16931-R008": byForm, "ubl>cii gone PEPPOL-EN16931-R043": byForm,
	"ubl>cii gone PEPPOL-EN16931-R044": byForm, "ubl>cii gone PEPPOL-EN16931-R053": byArtefact, "ubl>cii gone PEPPOL-EN16931-R054": byArtefact,
	"ubl>cii gone PEPPOL-EN16931-R005": byForm, "ubl>cii new BR-AF-05": byArtefact, "ubl>cii new BR-CO-14": byArtefact,
	"ubl>cii new BR-DE-21": byArtefact, "ubl>cii new BR-DE-26": byArtefact, "ubl>cii new BR-DEC-15": byArtefact,
	"ubl>cii new BR-E-01": byArtefact, "ubl>cii new BR-O-01": byArtefact, "ubl>cii new BR-O-11": byArtefact, "ubl>cii new BR-S-08": byArtefact,
	"ubl>cii new CII-DT-031": byArtefact, "ubl>cii new CII-SR-454": byArtefact, "ubl>cii new CII-SR-470": byArtefact,
	"ubl>cii new CII-SR-475": byArtefact, "ubl>cii new CII-SR-476": byArtefact,
	"ubl>cii new PEPPOL-EN16931-R054": byArtefact, "ubl>cii new PEPPOL-EN16931-R055": byArtefact,
}

// compared are the rules whose verdicts are compared.
var compared = validate.Rules{Rulesets: []string{"en16931", "xrechnung"}}

// Every valid document of the suites has the same verdict after it was written
// in either syntax, but for what is listed; rules about one syntax's elements
// aside. Where something was lost, what it violated is gone with it.
func TestVerdictsAfterConversion(t *testing.T) {
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	v := verdictTest{t, kittest.Kit(t), map[string]bool{}}
	documents, files := 0, 0
	err := filepath.WalkDir(suites, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".xml" || strings.HasPrefix(d.Name(), "ZUGFeRDv1--") {
			return err
		}
		if files++; !sampled.Takes(files, 8) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		result, err := v.service.Validate(context.Background(), data, compared)
		if err != nil {
			return err
		}
		if *result.Report.SchemaValid {
			documents++
			v.convert(d.Name(), result, model.UBL)
			v.convert(d.Name(), result, model.CII)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if documents < sampled.Of(2300, 10) {
		t.Errorf("only %d documents are valid; is the folder complete?", documents)
	}
	for key := range verdictsDiffer {
		if sampled.Whole() && !v.seen[key] {
			t.Errorf("%q is listed, but happens no more", key)
		}
	}
}

type verdictTest struct {
	*testing.T
	service *operation.Kit
	seen    map[string]bool
}

func (v *verdictTest) convert(file string, was *validate.Result, to model.Syntax) {
	conversion, err := convert.Document(context.Background(), v.service.Service, was.Document, to)
	if err != nil {
		v.Fatal(err)
	}
	is, err := v.service.Validate(context.Background(), conversion.Data, compared)
	if err != nil {
		v.Fatal(err)
	}
	before, after := fired(was.Report), fired(is.Report)
	direction := string(was.Document.Syntax) + ">" + string(to)
	for rule := range before {
		if !after[rule] && formats.Lost(conversion.Losses) == 0 && !aboutSyntax(rule, was.Document.Syntax, to) {
			v.differs(file, direction+" gone "+rule)
		}
	}
	for rule := range after {
		if !before[rule] {
			v.differs(file, direction+" new "+rule)
		}
	}
}

func (v *verdictTest) differs(file, key string) {
	v.seen[key] = true
	if verdictsDiffer[key] == "" {
		v.Errorf("%s: %s", file, key)
	}
}

func fired(r *engine.Report) map[string]bool {
	rules := map[string]bool{}
	for _, f := range r.Findings {
		rules[f.Rule] = true
	}
	return rules
}

// aboutSyntax reports whether a rule is about elements of the syntax that was
// left.
func aboutSyntax(rule string, from, to model.Syntax) bool {
	return from != to && strings.HasPrefix(rule, strings.ToUpper(string(from))+"-")
}
