package workbench_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"

	"einvoice/model/problem"
	"einvoice/model/sampled"
	"einvoice/service/internal/kittest"
	"einvoice/service/workbench"

	"gopkg.in/yaml.v3"
)

// Whatever is wrong with a draft, what is refused because of it says so in one language: the mistake
// is told as the list of mistakes tells it, and so are its corrections.
func TestMistakesOfDraftsInOneLanguage(t *testing.T) {
	data, err := os.ReadFile("../../cmd/internal/cli/testdata/mistakes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Good  map[string]string
		Cases []struct {
			Name   string
			Change [][]string
			Files  map[string]string
		}
	}
	if err := yaml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	d, library, told := open(t), kittest.Kit(t).Library(), 0
	for i, c := range all.Cases {
		if !sampled.Takes(i, 30) {
			continue
		}
		draft := maps.Clone(all.Good)
		for name := range draft {
			for _, change := range c.Change {
				draft[name] = strings.Replace(draft[name], change[0], change[1], 1)
			}
		}
		maps.Copy(draft, c.Files)
		maps.DeleteFunc(draft, func(_, text string) bool { return text == "" })
		english := map[string]bool{}
		for _, language := range []string{"en", "de", "fr"} {
			request, _ := json.Marshal(map[string]any{"draft": draft, "language": language})
			answer, err := d.Call(t.Context(), "draft", request)
			drafted, ok := answer.(*workbench.Drafted)
			if err != nil || !ok {
				continue // its files have names that no draft has
			}
			if language == "en" {
				for _, m := range drafted.Mistakes {
					english[m.Message] = true
				}
				continue
			}
			for _, m := range drafted.Mistakes {
				if english[m.Message] {
					t.Errorf("%s: %q is not in %s: translate it in phrases/authoring.yaml", c.Name, m.Message, language)
				}
				for _, fix := range m.Fixes {
					if strings.HasPrefix(fix.Title, "Write ") || !strings.HasSuffix(fix.Title, " "+fix.Text) {
						t.Errorf("%s: the correction %q is not in %s", c.Name, fix.Title, language)
					}
				}
			}
			spoken, err := library.Language(language)
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Call(t.Context(), "check", request)
			refused, ok := errors.AsType[*problem.Error](err)
			if !ok {
				continue // there are warnings alone
			}
			said, same := spoken.Say(refused.Message), false
			for _, m := range drafted.Mistakes {
				same = same || strings.HasSuffix(said, m.Message)
			}
			if told++; !same || strings.Contains(said, "draft has") {
				t.Errorf("%s: %q is none of %+v", c.Name, said, drafted.Mistakes)
			}
		}
	}
	if told < 5 {
		t.Errorf("only %d drafts were refused", told)
	}
}
