package conformance_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"html/template"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	layoutsInto = flag.String("layouts", "", "a folder for invoices in the layouts of invoicing programs, with what is printed on them")
	layoutOnly  = flag.String("layout", "", "the one program whose layout is printed; all without it")
	layoutSeeds = flag.Uint64("layout-seeds", 1, "how many invoices are made for each program and language")
)

// A program is the layout of an invoicing program: an HTML template, whose first line says
// how it writes days and amounts, and whether the reader of pages is mended, calibrated or
// tested with it. No program is in two parts.
type program struct {
	name    string
	options map[string]string
	page    *template.Template

	showsPaid bool // what was paid before
}

// programs are all layouts.
func programs(t *testing.T) (all []program) {
	t.Helper()
	files, err := filepath.Glob("layouts/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no layouts: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		p := program{name: strings.TrimSuffix(filepath.Base(file), ".html"), options: map[string]string{}, showsPaid: strings.Contains(string(text), `"paid"`)}
		for _, option := range strings.Split(strings.Trim(first, "<!-> "), ";") {
			key, value, _ := strings.Cut(option, ":")
			p.options[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
		switch p.options["part"] {
		case "train", "calibrate", "test":
		default:
			t.Fatalf("%s is of no part", file)
		}
		if p.page, err = template.New(p.name).Parse(shared + string(text)); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// shared are parts of many layouts.
const shared = `{{define "rows"}}<div>{{.Name}}</div><div>{{.Street}}</div><div>{{.Place}}</div><div>{{.Country}}</div>{{end}}
{{define "bold"}}<div><b>{{.Name}}</b></div><div>{{.Street}}</div><div>{{.Place}}</div>{{end}}`

// TestLayouts prints invoices in the layouts of programs, each with a JSON file of what is true
// and what is printed.
func TestLayouts(t *testing.T) {
	all, words, folks := programs(t), wordsOf(t), folksOf(t)
	if *layoutsInto == "" || *chromium == "" {
		for i := range all { // the layouts are sound
			d := newPrintout(&all[i], words, folks, "de", 1)
			if err := all[i].page.Execute(&bytes.Buffer{}, d); err != nil {
				t.Error(err)
			}
			if _, printed := d.printed["/number"]; !printed {
				t.Errorf("%s shows no number", all[i].name)
			}
		}
		t.Skip("skipped: prints with -layouts and -chromium alone")
	}
	for i := range all {
		if p := &all[i]; *layoutOnly == "" || p.name == *layoutOnly {
			t.Run(p.name, func(t *testing.T) { printLayout(t, p, words, folks) })
		}
	}
	if *layoutOnly == "" || *layoutOnly == "letters" {
		t.Run("letters", printLetters)
	}
}

// printLayout prints the invoices of a program, with a browser of its own.
func printLayout(t *testing.T, p *program, words map[string]map[string][]string, folks map[string]*folk) {
	b := startBrowser(t, *chromium)
	dir := filepath.Join(*layoutsInto, p.options["part"])
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for lang := range folks {
		for seed := range *layoutSeeds {
			d := newPrintout(p, words, folks, lang, seed+1)
			var html bytes.Buffer
			if err := p.page.Execute(&html, d); err != nil {
				t.Fatal(err)
			}
			base := filepath.Join(dir, fmt.Sprintf("%s-%s-%d", p.name, lang, seed+1))
			save(t, base+".html", append([]byte("<!doctype html>\n"), html.Bytes()...))
			b.open("file://"+base+".html", 1000, true)
			save(t, base+".pdf", b.print())
			truth, err := json.Marshal(map[string]any{"program": p.name, "language": lang, "values": d.truth(), "printed": d.printed})
			if err != nil {
				t.Fatal(err)
			}
			save(t, base+".json", truth)
			_ = os.Remove(base + ".html")
		}
	}
}

func seedOf(parts ...any) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, parts...) // a hash accepts everything
	return h.Sum64()
}

func randomOf(parts ...any) *rand.Rand { return rand.New(rand.NewPCG(17, seedOf(parts...))) }

func oneOf[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
