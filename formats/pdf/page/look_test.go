package page_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
	"einvoice/model/problem"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#c8102e"/>` +
	`<path d="M10 20 C 15 5, 25 5, 30 20" stroke="#fff" stroke-width="3" fill="none"/></svg>`

// files are those that looks of the tests name.
func files(t testing.TB) fstest.MapFS {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 30, 10))
	for i := range 10 {
		picture.Set(i, i, color.NRGBA{200, 0, 0, uint8(25 * i)})
	}
	var logo bytes.Buffer
	if err := png.Encode(&logo, picture); err != nil {
		t.Fatal(err)
	}
	restricted := bytes.Clone(liberationserifregular.TTF)
	binary.BigEndian.PutUint16(restricted[tableOf(t, restricted, "OS/2")+8:], 2)
	fsys := fstest.MapFS{
		"plain.ttf": {Data: liberationserifregular.TTF}, "bold.ttf": {Data: liberationserifbold.TTF}, "restricted.ttf": {Data: restricted},
		"logo.png": {Data: logo.Bytes()}, "logo.svg": {Data: []byte(svg)}, "text.svg": {Data: []byte(strings.Replace(svg, "<circle", "<text>A</text><circle", 1))},
		"empty.svg":  {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`)},
		"paper.pdf":  {Data: printed(t, small(t, 1), page.Options{Language: "en"}).Data},
		"broken.pdf": {Data: []byte("%PDF-1.7\nnothing")},
	}
	return fsys
}

// tableOf is where a table of a font begins.
func tableOf(t testing.TB, data []byte, tag string) uint32 {
	t.Helper()
	for i := 12; i < 12+16*int(binary.BigEndian.Uint16(data[4:])); i += 16 {
		if string(data[i:i+4]) == tag {
			return binary.BigEndian.Uint32(data[i+8:])
		}
	}
	t.Fatalf("the font has no table %s", tag)
	return 0
}

func lookOf(t testing.TB, text string) (*look.Look, error) {
	t.Helper()
	fsys := files(t)
	fsys["own/look.yaml"] = &fstest.MapFile{Data: []byte(text)}
	fsys["look.yaml"] = fsys["own/look.yaml"]
	return page.ReadLook(fsys, "look.yaml")
}

// A look changes what it says, and all terms are on the pages still.
func TestLook(t *testing.T) {
	look, err := lookOf(t, `{name: own, based: din5008, colours: {accent: "#8A1538"}, fonts: {plain: plain.ttf, bold: bold.ttf},
logo: {file: logo.svg, x: 190, y: 14, width: 60, height: 22, right: true}, paper: {first: paper.pdf, following: paper.pdf},
before: {de: Vielen Dank für Ihren Auftrag., any: Thanks.}, after: {any: Bis bald.},
labels: {de: {issueDate: Datum der Rechnung, lines: Unsere Leistungen}},
sections: [payment, lines, totals, facts, parties, adjustments, notes, documents, further, technical]}`)
	if err != nil {
		t.Fatal(err)
	}
	inv := small(t, 60)
	r := printed(t, inv, page.Options{Language: "de", Look: look})
	text := strings.Join(pagesOf(t, r.Data), "\n")
	for _, want := range []string{"Vielen Dank für Ihren Auftrag.", "Bis bald.", "Datum der Rechnung", "Unsere Leistungen", "Rapsöl, kaltgepresst 60"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if strings.Index(text, "Zahlung") > strings.Index(text, "Unsere Leistungen") || strings.Contains(text, "Rechnungspositionen") {
		t.Error("the sections are not in the order of the look, or have other titles")
	}
	for _, want := range []string{"+plain", "/Logo", "/Paper0", "/Paper1"} {
		if !bytes.Contains(r.Data, []byte(want)) && !strings.Contains(uncompressed(t, r.Data), want) {
			t.Errorf("the PDF has no %s", want)
		}
	}
	if made, err := page.HTML(t.Context(), inv, page.Options{Look: look}); err != nil || bytes.Contains(made.Data, []byte("Paper")) || len(made.Data) > 400_000 {
		t.Errorf("HTML with letter paper: %v", err) // it has none, and parts of the fonts
	}
	if r := printed(t, small(t, 1), page.Options{Language: "en", Look: look}); !strings.Contains(strings.Join(pagesOf(t, r.Data), ""), "Thanks.") {
		t.Error("the text for any language is not there")
	}
}

// What a look leaves out is told.
func TestLookThatLeavesOut(t *testing.T) {
	look, err := lookOf(t, "{name: short, based: general, sections: [parties, totals]}")
	if err != nil {
		t.Fatal(err)
	}
	r := printed(t, small(t, 1), page.Options{Look: look, Language: "en"})
	told := map[string]bool{}
	for _, u := range r.Unshown {
		told[u.Term] = true
	}
	if !told["BT-2"] || !told["BT-126"] || !told["BT-84"] || told["BT-27"] || told["BT-115"] {
		t.Errorf("left out are %v", r.Unshown)
	}
}

func TestFaultyLooks(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                              "no name",
		"{name: a}":                       "not based on another one",
		"{name: a, based: nothing}":       "no built-in look",
		`{name: a, based: general, x: 1}`: `unknown key "x"`,
		"{name: a, based: general, sections: [totals, nothing]}":                        "there is no section",
		"{name: a, based: general, sections: [totals, totals]}":                         "there twice",
		`{name: a, based: general, colours: {text: "blue"}}`:                            "is not a colour",
		"{name: a, based: general, page: {left: 2}}":                                    "margins",
		"{name: a, based: general, page: {top: 250}}":                                   "margins",
		"{name: a, based: general, labels: {de: {nothing: a}}}":                         "neither a label nor a word",
		"{name: a, based: general, labels: {tlh: {}}}":                                  "there is no language",
		"{name: a, based: general, foot: [[nothing]]}":                                  "no field nothing",
		"{name: a, based: general, foot: [[],[],[],[],[],[]]}":                          "at most 5",
		"{name: a, based: general, letter: {body: 100}}":                                "sender has no width; a letter needs sender and recipient",
		"{name: a, based: general, letter: {sender: {width: 80}}}":                      "recipient has no width",
		"{name: a, based: din5008, letter: {sender: {width: 0}}}":                       "sender has no width",
		"{name: a, based: din5008, letter: {recipient: {width: 29}}}":                   "recipient is at least 30 mm wide, not 29",
		"{name: a, based: french, letter: {information: {width: 1.5}}}":                 "information is at least 30 mm wide, not 1.5",
		"{name: a, based: din5008, letter: {body: 200}}":                                "upper half",
		"{name: a, based: din5008, letter: {recipient: {x: 190}}}":                      "not on the page",
		"{name: a, based: general, fonts: {bold: bold.ttf}}":                            "no plain one",
		"{name: a, based: general, fonts: {plain: nothing.ttf}}":                        "nothing.ttf",
		"{name: a, based: general, fonts: {plain: logo.png}}":                           "damaged",
		"{name: a, based: general, fonts: {plain: restricted.ttf}}":                     "does not allow it to be embedded",
		"{name: a, based: general, logo: {file: logo.png}}":                             "its place",
		"{name: a, based: general, logo: {file: text.svg, width: 9, height: 9}}":        "logos cannot have",
		"{name: a, based: general, logo: {file: empty.svg, width: 9, height: 9}}":       "shows nothing",
		"{name: a, based: general, logo: {file: plain.ttf, width: 9, height: 9}}":       "not SVG, PNG or JPEG",
		"{name: a, based: general, logo: {file: ../logo.png, width: 9, height: 9}}":     "not beside the look",
		"{name: a, based: general, paper: {first: broken.pdf}}":                         "broken.pdf",
		"{name: a, based: general, before: {de: '" + strings.Repeat("a", 21000) + "'}}": "more than 20000 characters",
	} {
		_, err := lookOf(t, text)
		e, ok := errors.AsType[*problem.Error](err)
		if !ok || e.Code != look.CodeUnknown || !strings.Contains(e.Message, want) || e.Remedy == "" {
			t.Errorf("%.80s: got %v, want %q", text, err, want)
		}
	}
	if _, err := look.BuiltIn("nothing"); err == nil || !strings.Contains(err.Error(), "din5008, french, general") {
		t.Errorf("a look that there is not: %v", err)
	}
}

// The schema says what the program reads: the built-in looks are valid, each key of them
// and of a look with everything is known to both.
func TestLookSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(look.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("look.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("look.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(data []byte) error {
		var value any
		if err := yaml.Unmarshal(data, &value); err != nil {
			return err
		}
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		value, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(value)
	}
	looks, err := fs.Glob(os.DirFS("look/looks"), "*.yaml")
	if err != nil || len(looks) < 3 {
		t.Fatalf("%v, %v", looks, err)
	}
	for _, file := range looks {
		data, err := os.ReadFile("look/looks/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for key := range doc.(map[string]any)["properties"].(map[string]any) { //nolint:forcetypeassert // the schema has it
		_, err := lookOf(t, "{name: a, based: general, "+key+": {nothing-such: 1}}")
		if err != nil && strings.Contains(err.Error(), "unknown key "+strconv.Quote(key)) {
			t.Errorf("the schema has %s, and looks have not", key)
		}
	}
	for _, text := range []string{"{name: a, colours: {text: blue}}", "{name: a, unknown: 1}", "{based: general}"} {
		if validate([]byte(text)) == nil {
			t.Errorf("%s is valid by the schema", text)
		}
	}
}

// The look is that of the seller's country.
func TestLookOfTheCountry(t *testing.T) {
	for country, want := range map[string]string{"DE": "DIN", "AT": "DIN", "FR": "French", "US": "general"} {
		inv := small(t, 1)
		inv.Seller.PostalAddress.CountryCode = model.NewText(country)
		own := printed(t, inv, page.Options{Language: "en"}).Data
		name := map[string]string{"DIN": "din5008", "French": "french", "general": "general"}[want]
		look, err := look.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(own, printed(t, inv, page.Options{Language: "en", Look: look}).Data) {
			t.Errorf("%s: the look is not %s", country, name)
		}
	}
}
