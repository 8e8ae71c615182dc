package create_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"testing"

	"einvoice/model"
	"einvoice/service/create"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// half are words of English that a message in German or French does not have.
var half = regexp.MustCompile(`\b(of|the|is|entries|values)\b`)

// Whatever list of the model has no place in a document, the message about it counts its entries,
// and is in one language: no count is told as if it were the value.
func TestListsWithoutPlaces(t *testing.T) {
	t.Parallel()
	service, err := validate.Open(validate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	eachList(model.InvoiceType(), nil, func(path []*model.Field) {
		var request create.Request
		if err := json.Unmarshal(create.Example, &request); err != nil {
			t.Fatal(err)
		}
		list := path[len(path)-1]
		group := model.ObjectOf(request.Invoice)
		name := list.Name
		for _, f := range path[:len(path)-1] {
			if f.Kind == model.KindList {
				if group.List(f).Len() == 0 {
					return
				}
				group = group.List(f).At(0)
				continue
			}
			group = group.EnsureGroup(f)
		}
		for range 2 {
			fillFirst(group.AppendGroup(list))
		}
		for _, tag := range []string{"de", "fr"} {
			language, err := service.Library().Language(tag)
			if err != nil {
				t.Fatal(err)
			}
			_, err = create.Document(t.Context(), create.NoPages{Service: service}, "ubl", &request)
			refused, ok := errors.AsType[*write.Refused](err)
			if !ok {
				continue
			}
			if err := refused.Report.Translate(language); err != nil {
				t.Fatal(err)
			}
			for _, f := range refused.Report.Findings {
				if f.Rule != "NO-PLACE" && f.Rule != "WRITTEN-OTHERWISE" {
					continue
				}
				tried++
				if half.MatchString(f.Message) {
					t.Errorf("%s of %s: %s", tag, name, f.Message)
				}
			}
		}
	})
	if tried < 20 {
		t.Errorf("only %d messages were looked at", tried)
	}
}

// eachList finds the lists of a group and of those in it, three levels deep.
func eachList(of *model.Type, path []*model.Field, found func([]*model.Field)) {
	for i := range of.Fields {
		f := &of.Fields[i]
		if f.Elem == nil || len(path) == 3 {
			continue
		}
		here := append(slices.Clone(path), f)
		if f.Kind == model.KindList {
			found(here)
		}
		eachList(f.Elem, here, found)
	}
}

// fillFirst gives a group its first term, or that of its first group.
func fillFirst(group model.Object) {
	for i := range group.Type.Fields {
		switch f := &group.Type.Fields[i]; f.Kind {
		case model.KindGroup:
			fillFirst(group.EnsureGroup(f))
		case model.KindList:
			continue
		default:
			group.Set(f, "1")
		}
		return
	}
}
