package template_test

import (
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	text "text/template"

	own "einvoice/model/template"
)

type level string

type inner struct{ Deep string }

type view struct {
	*inner
	Name    string
	Level   level
	Number  int
	Yes, No bool
	None    *inner
	Any     any
	List    []inner
	Empty   []inner
	Words   []string
	Map     map[string]inner
}

// pieces have every construct of the language that the program's templates use.
var pieces = []string{
	`<p class="{{.Level}}" id="x{{.Number}}">{{.Name}}</p>`,
	`{{if .Yes}}a{{else}}b{{end}}{{if .No}}a{{else if not .Yes}}b{{else}}c{{end}}{{if .None}}d{{end}}`,
	`{{with .Name}}<i>{{.}}</i>{{else}}none{{end}}{{with .None}}x{{else}}none{{end}}{{with .Any}}{{.Deep}}{{end}}`,
	`{{range .List}}<b>{{.Deep}}{{$.Name}}</b>{{else}}none{{end}}{{range .Empty}}x{{else}}none{{end}}`,
	`{{range $i, $w := .Words}}{{if $i}}, {{end}}{{$w}}{{end}}{{range $w := .Words}}{{range $.Words}}{{$w}}{{.}}{{end}}{{end}}`,
	`{{range $key, $of := .Map}}{{$key}}={{$of.Deep}}{{end}}`,
	`{{.Deep}} {{.Any.Deep}} {{join .Name (join "a" .Level)}} {{deep .Any}}`,
	`{{if eq .Level "+<&'\">"}}same{{end}}{{if eq .Name "other"}}same{{end}}{{"{"}} {{- " x" -}} }`,
	`{{template "piece" .List}}{{define "piece"}}{{range .}}{{.Deep}}{{end}}{{end}}`,
}

func data() view {
	hostile := "+<&'\"> \x00 é \xff <script>alert(1)</script>"
	return view{
		inner: &inner{hostile}, Name: hostile, Level: `+<&'">`, Number: -7, Yes: true, Any: &inner{"any" + hostile},
		List: []inner{{"1"}, {hostile}}, Words: []string{"a", hostile, ""}, Map: map[string]inner{"b": {"2"}, "a": {"1"}, "": {hostile}},
	}
}

// TestAsTheLibrary compares what the templates of this package write with what those of the
// standard library write.
func TestAsTheLibrary(t *testing.T) {
	functions := map[string]any{
		"join": func(a string, b any) string { return fmt.Sprint(a, "-", b) },
		"deep": func(i inner) string { return i.Deep },
	}
	for _, piece := range pieces {
		var got, want strings.Builder
		if err := own.HTML(piece, functions).Execute(&got, "", data()); err != nil {
			t.Error(err)
		}
		if err := template.Must(template.New("").Funcs(functions).Parse(piece)).Execute(&want, data()); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s as a page is\n%q, the library has\n%q", piece, got.String(), want.String())
		}
		got.Reset()
		want.Reset()
		if err := own.Text(piece, functions).Execute(&got, "", data()); err != nil {
			t.Error(err)
		}
		if err := text.Must(text.New("").Funcs(functions).Parse(piece)).Execute(&want, data()); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s as a text is\n%q, the library has\n%q", piece, got.String(), want.String())
		}
	}
}

func TestSafe(t *testing.T) {
	var out strings.Builder
	if err := own.HTML(`<style>{{.}}</style>`, nil).Execute(&out, "", own.Safe("a > b")); err != nil || out.String() != "<style>a > b</style>" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestFaults(t *testing.T) {
	for piece, said := range map[string]string{
		`{{.Name.Other}}`:                  "there is no field .Other",
		`{{.Missing}}`:                     "there is no field .Missing",
		`{{deep .Name}}`:                   "a string where a template_test.inner is wanted",
		`{{deep}}`:                         "takes 1 values",
		`{{.Name .Name}}`:                  "is not a function",
		`{{.Name | deep}}`:                 "is not one command",
		`{{$x := .Name}}`:                  "has no value",
		`{{range .Number}}{{end}}`:         "is over a int",
		`{{template "other" .Name}}`:       "there is no template",
		`{{range .Words}}{{break}}{{end}}`: "is not known here",
	} {
		err := own.Text(piece, own.Functions{"deep": func(i inner) string { return i.Deep }}).Execute(new(strings.Builder), "", data())
		if err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v, want %s", piece, err, said)
		}
	}
}

// TestPlacesOfValues reads the pages of the program: a value may be in the text, or in an
// attribute in quotes, that is not a script, no style and no address but of the page itself.
func TestPlacesOfValues(t *testing.T) {
	action := regexp.MustCompile(`\{\{.*?\}\}`)
	attribute := regexp.MustCompile(`\s(href|src|style|action|on[a-z]+)="[^"]*\{\{[^"]*"`)
	unquoted := regexp.MustCompile(`=\{\{`)
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		page, err := os.ReadFile(path)
		if err != nil || !action.Match(page) || strings.Contains(path, "node_modules") || strings.Contains(path, "testdata") {
			return err
		}
		seen++
		for _, found := range attribute.FindAllString(string(page), -1) {
			if !strings.HasPrefix(strings.TrimSpace(found), `href="#`) {
				t.Errorf("%s: a value in%s", path, found)
			}
		}
		for _, found := range unquoted.FindAllString(string(page), -1) {
			t.Errorf("%s: an attribute without quotes: %s", path, found)
		}
		for _, element := range []string{"script", "style"} {
			for _, inside := range regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(string(page), -1) {
				for _, value := range action.FindAllString(inside[1], -1) {
					if value != "{{.Style}}" && value != "{{.Script}}" {
						t.Errorf("%s: %s in %s", path, value, element)
					}
				}
			}
		}
		return nil
	})
	if err != nil || seen < 4 {
		t.Errorf("%d pages were read: %v", seen, err)
	}
}
