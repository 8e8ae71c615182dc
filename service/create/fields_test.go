package create_test

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"
)

// Whatever single member of a request is there without those that belong to it, each finding
// names a field: a request has no lines and no elements that could be looked for instead.
func TestFindingsOfRequestsNameFields(t *testing.T) {
	pages := create.NoPages{Service: kittest.Kit(t).Pages.Rules()} // PDFs of what is valid are not drawn
	all, requests, refusals := 0, 0, 0
	for _, format := range []string{"facturx", "ubl", "cii"} {
		for path, value := range members(model.InvoiceType(), "invoice", nil) {
			if all++; !sampled.Takes(all, 4) {
				continue
			}
			var request map[string]any
			if err := json.Unmarshal(smallest(t, nil), &request); err != nil {
				t.Fatal(err)
			}
			set(request, strings.Split(path, "."), value)
			if requests++; format == "facturx" {
				request["options"] = map[string]any{"profile": "extended"}
			}
			data, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			r, err := create.ReadRequest(t.Context(), data)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			_, err = create.Document(t.Context(), pages, format, r)
			refused, ok := errors.AsType[*write.Refused](err)
			if !ok {
				continue
			}
			refusals++
			for _, f := range refused.Report.Findings {
				// What is about the sums of the whole invoice is at none of its members.
				if f.Level == engine.Fatal && len(f.Fields) == 0 && !strings.HasPrefix(f.Rule, "BR-FXEXT-S-") {
					t.Errorf("%s of %s: %s names no field: %s", format, path, f.Rule, f.Message)
				}
			}
		}
	}
	if requests < sampled.Of(4000, 5) || refusals < sampled.Of(1000, 6) {
		t.Errorf("%d requests, %d of them refused", requests, refusals)
	}
}

// members are the paths of all members in a group with a value for each; a group that is
// inside one of its kind is left out.
func members(of *model.Type, path string, around []*model.Type) map[string]any {
	all := map[string]any{}
	for i := range of.Fields {
		f := &of.Fields[i]
		at := path + "." + f.Name
		if f.Kind == model.KindList {
			at += ".0"
		}
		switch {
		case !f.Kind.IsLeaf() && slices.Contains(around, f.Elem):
		case !f.Kind.IsLeaf():
			for inner, value := range members(f.Elem, at, append(slices.Clone(around), of)) {
				all[inner] = value
			}
		case f.Kind == model.KindDate:
			all[at] = "2026-11-20"
		case f.Kind == model.KindBinary:
			all[at] = "QQ=="
		case f.Class == model.ClassIndicator:
			all[at] = true
		default:
			all[at] = "1"
		}
	}
	return all
}

// set gives a member of a request a value. Groups and lists around it that are absent are made.
func set(at map[string]any, steps []string, value any) {
	name := steps[0]
	switch {
	case len(steps) == 1:
		at[name] = value
	case steps[1] == "0":
		if at[name] == nil {
			at[name] = []any{map[string]any{}}
		}
		set(at[name].([]any)[0].(map[string]any), steps[2:], value)
	default:
		if at[name] == nil {
			at[name] = map[string]any{}
		}
		set(at[name].(map[string]any), steps[1:], value)
	}
}

// Whatever member of the shown requests is left out or wrong, each finding of the rules of
// countries names a field too: these rules name terms alone.
func TestFindingsOfCountriesNameFields(t *testing.T) {
	pages := create.NoPages{Service: kittest.Kit(t).Pages.Rules()}
	shown := regexp.MustCompile("(?s)```json [a-z.]+\n(.*?)```")
	for file, profile := range map[string]string{"countries/fr": "fr-ctc", "countries/nl": "cius-nl", "countries/pt": "cius-pt", "countries/ro": "cius-ro", "peppol": "peppol-bis-billing-3"} {
		page, err := os.ReadFile("../../docs/" + file + ".md")
		if err != nil {
			t.Fatal(err)
		}
		text := shown.FindSubmatch(page)[1]
		refusals := 0
		for path := range members(model.InvoiceType(), "invoice", nil) {
			for _, wrong := range []any{nil, "~", strings.Repeat("x", 2000)} {
				var request map[string]any
				if err := json.Unmarshal(text, &request); err != nil {
					t.Fatal(err)
				}
				if request["options"] = map[string]any{"profile": profile}; !has(request, strings.Split(path, ".")) {
					break
				}
				set(request, strings.Split(path, "."), wrong)
				data, err := json.Marshal(request)
				if err != nil {
					t.Fatal(err)
				}
				r, err := create.ReadRequest(t.Context(), data)
				if err != nil {
					continue // a number that is none
				}
				_, err = create.Document(t.Context(), pages, "ubl", r)
				refused, ok := errors.AsType[*write.Refused](err)
				if !ok {
					continue
				}
				refusals++
				for _, f := range refused.Report.Findings {
					if f.Level == engine.Fatal && len(f.Fields) == 0 && len(f.BTCodes) > 0 {
						t.Errorf("%s, %v as %s: %s names no field: %s", profile, wrong, path, f.Rule, f.Message)
					}
				}
			}
		}
		if refusals < 20 {
			t.Errorf("%s: %d refusals", profile, refusals)
		}
	}
}

// A character that XML cannot hold is told of the member that has it, not of what is computed
// from that.
func TestCharactersOfRequestsNameTheirMembers(t *testing.T) {
	all, told := 0, 0
	for _, format := range []string{"ubl", "cii"} {
		for path, value := range members(model.InvoiceType(), "invoice", nil) {
			if all++; !sampled.Takes(all, 3) {
				continue
			}
			field := strings.ReplaceAll(strings.TrimPrefix(path, "invoice."), ".0", "[0]")
			var request map[string]any
			if err := json.Unmarshal(smallest(t, nil), &request); err != nil {
				t.Fatal(err)
			}
			if value != "1" {
				continue
			}
			set(request, strings.Split(path, "."), "a\u0001b")
			data, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			r, err := create.ReadRequest(t.Context(), data)
			if err != nil {
				continue // a number that is none
			}
			_, err = create.Document(t.Context(), kittest.Kit(t).Pages, format, r)
			refused, ok := errors.AsType[*write.Refused](err)
			if !ok {
				continue
			}
			for _, f := range refused.Report.Findings {
				if told++; f.Rule != write.NoticeCharacter {
					told--
				} else if f.Fields[0] != field {
					t.Errorf("%s, %s: told of %v", format, field, f.Fields)
				}
			}
		}
	}
	if told < sampled.Of(200, 4) {
		t.Errorf("%d characters were told", told)
	}
}

// has reports whether a request has a member.
func has(at map[string]any, steps []string) bool {
	switch v := at[steps[0]].(type) {
	case nil:
		return false
	case map[string]any:
		return has(v, steps[1:])
	case []any:
		return has(v[0].(map[string]any), steps[2:])
	default:
		return true
	}
}
