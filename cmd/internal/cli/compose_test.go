package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/ruletest"
	"einvoice/rulesets"
	"einvoice/server"
	"einvoice/service/report"
	"einvoice/service/validate"
)

var composeRefusals = flag.Bool("compose-refusals", false, "print why pairs are refused")

var composeFirst = flag.Int("compose-first", 0, "the number of the first pair, so that several runs make all of them")

var composePairs = flag.Int("compose-pairs", 60, "how many random pairs of overlays are composed; make compose takes 10000")

// composeRules are the rules whose parameters, lists and levels the made overlays change.
const composeRules = `ruleset: company
version: 1
layer: cius
parameters:
  limit: {type: decimal, default: 1000, text: t}
  prefix: {type: text, default: PO, text: t}
rules:
  - {id: CO-LIMIT, level: warning, context: /invoice, assert: "this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], fields: [totals.amountDueForPayment], message: m, text: t}
  - {id: CO-PREFIX, level: warning, context: /invoice, assert: 'filled(this.number) && this.number.matches("^${prefix}")', btCodes: [BT-1], fields: [number], message: m, text: t}
  - {id: CO-MEANS, level: fatal, context: /invoice, assert: '!filled(this.currencyCode) || this.currencyCode.isInCodeList("iso-4217")', btCodes: [BT-5], fields: [currencyCode], message: m, text: t}
  - {id: CO-FALSE, level: warning, context: /invoice, assert: "false", btCodes: [], fields: [], message: m, text: t}
  - {id: CO-OTHER, level: fatal, context: /invoice, assert: "false", btCodes: [], fields: [], message: m, text: t}
`

// smallBase is the built-in folder with one rule in place of those of each ruleset: what
// overlays do to each other does not depend on the others, and reading them takes most of the
// time of a pair. Every twentieth pair is
// laid over the folder as it is, and every hundredth asked of the service as well.
func smallBase(t *testing.T) fs.FS {
	t.Helper()
	small := fstest.MapFS{}
	err := fs.WalkDir(rulesets.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		parts := strings.Split(name, "/")
		if len(parts) == 3 && !slices.Contains(engine.Reserved, parts[0]) && !strings.HasPrefix(parts[0], ".") {
			small[parts[0]+"/"+parts[1]+"/rules.yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil, "ruleset: %s\nversion: %q\nlayer: cius\nrules:\n  - {id: ONE-%s, level: fatal, context: /invoice, assert: \"true\", btCodes: [], fields: [], message: m, text: t}\n",
				parts[0], parts[1], strings.ToUpper(parts[0]))}
			return nil
		}
		if parts[0] == "compiled" || parts[0] == "overlays" || parts[0] == "languages" && slices.Contains(parts, "rules") {
			return nil
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		small[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// The profile's own overlays stay, with a level that made overlays change as well.
	small["overlays/germany.yaml"] = &fstest.MapFile{Data: []byte("overlay: germany\ntitle: Of all profiles\nowner: Germany\nsource: s\nlevels:\n  - {rules: [CO-OTHER], level: warning, reason: Germany says so., until: open}\n")}
	small["overlays/xrechnung-3.0.yaml"] = &fstest.MapFile{Data: []byte("overlay: xrechnung-3.0\ntitle: Of the profile\nowner: KoSIT\nsource: s\nlevels:\n  - {rules: [CO-FALSE], level: fatal, reason: KoSIT says so., until: open}\n")}
	for _, other := range []string{"xrechnung-3.0-extension", "xrechnung-3.0-cvd"} {
		small["overlays/"+other+".yaml"] = &fstest.MapFile{Data: []byte("overlay: " + other + "\ntitle: t\nowner: KoSIT\nsource: s\nlevels:\n  - {rules: [CO-FALSE], level: fatal, reason: KoSIT says so., until: open}\n")}
	}
	return small
}

// madeOverlay makes an overlay at random; other is the name of the one that it may meet.
func madeOverlay(r *rand.Rand, name, other string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "overlay: %s\ntitle: %s\nowner: Owner of %s\n", name, name, name)
	one := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	fmt.Fprintf(&b, "on: %s\n", one("{profiles: [en16931]}", "{profiles: [en16931], rulesets: [company]}", "{profiles: [xrechnung-3.0]}", `{profiles: ["*"]}`))
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "documents: %s\n", one("{syntax: ubl}", "{syntax: cii}", "{seller: {vat: DE123456789}}", "{seller: {vat: FR1}}", "{seller: [DE123456789]}", `{where: "/invoice[currencyCode='EUR']"}`))
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(&b, "effective: %s\n", one("{from: 2026-01-01}", "{until: 2025-12-31}", "{from: 2027-01-01}"))
	}
	if other != "" && r.IntN(6) == 0 {
		fmt.Fprintf(&b, "%s: %s\n", one("over", "notWith"), other)
	}
	b.WriteString("rulesets: [company]\n")
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "parameters: {%s}\n", one("limit: 100", "limit: 100.00", "limit: 200", "prefix: INV", `prefix: "("`, "limit: 100, prefix: INV"))
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "codeLists:\n  - %s\n", one("{list: iso-4217, without: EUR}", "{list: iso-4217, without: EUR USD}", "{list: iso-4217, only: EUR SEK}", "{list: iso-4217, only: USD}", "{list: iso-4217, without: USD}"))
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "levels:\n  - {rules: [%s], level: %s, reason: Reason of %s., until: %s}\n", one("CO-FALSE", "CO-OTHER", "CO-*", "CO-LIMIT", "CO-MEANS"), one("information", "information", "fatal", "warning"), name, one("2099-12-31", "2020-01-01"))
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "rules:\n  - {id: %s, level: %s, context: /invoice, assert: %q, btCodes: [], fields: [], message: m, text: t%s}\n",
			one("OWN-1", "OWN-"+name, "OWN-2"+name, "OWN-3"+name), one("fatal", "warning"), one("false", "filled(this.number)", "true"), one("", ", replaces: It takes its place."))
	}
	return b.String()
}

// decided are the levels of the rules that fire, each with the overlays that it names.
type decided map[string]string

func decidedIn(r *engine.Report) decided {
	out := decided{}
	for _, f := range r.Findings {
		if f.Rule == "OVERLAY-EXPIRED" { // of a change whose rule the other overlay made fire
			continue
		}
		out[f.Rule+" "+f.Location] = string(f.Level)
	}
	return out
}

// TestComposition makes pairs of overlays at random. Each is refused by the check, or sound
// wherever overlays are taken: in either order the verdict is the same, what each of them does
// alone it does beside the other, what they are said to have done they did, and no command and no
// report fails.
func TestComposition(t *testing.T) {
	documents := map[string][]byte{}
	for _, name := range []string{"base-ubl.xml", "base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = data
	}
	seed, small := uint64(20261123), smallBase(t)
	refused, apart, sound, told := 0, 0, 0, 0
	for n := *composeFirst; n < *composeFirst+*composePairs; n++ {
		r := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // the same pairs in every run
		base, served := small, false
		if n%20 == 0 {
			base, served = rulesets.FS, n%100 == 0
		}
		p := &composedPair{documents: documents, base: base, served: served, files: fstest.MapFS{
			"company/1/rules.yaml": {Data: []byte(composeRules)},
			"overlays/plain.yaml":  {Data: []byte("overlay: plain\ntitle: The rules alone\nowner: Nobody\non: {profiles: [\"*\"]}\nrulesets: [company]\n")},
			"overlays/a.yaml":      {Data: []byte(madeOverlay(r, "a", ""))},
			"overlays/b.yaml":      {Data: []byte(madeOverlay(r, "b", "a"))},
		}}
		outcome, overlays, err := p.check(t)
		if err != nil {
			t.Errorf("pair %d: %v\n%s\n%s", n, err, p.files["overlays/a.yaml"].Data, p.files["overlays/b.yaml"].Data)
		}
		switch told += overlays; outcome {
		case "refused":
			refused++
		case "apart":
			apart++
		default:
			sound++
		}
	}
	t.Logf("%d pairs: %d refused, %d never together, %d sound, in which overlays brought %d findings about", *composePairs, refused, apart, sound, told)
	if refused*10 < *composePairs || sound*10 < *composePairs || told == 0 {
		t.Errorf("of %d pairs %d were refused and %d sound: too few of a kind to say anything", *composePairs, refused, sound)
	}
}

type composedPair struct {
	documents map[string][]byte
	base      fs.FS
	served    bool // the service is asked as well
	files     fstest.MapFS
}

func (p *composedPair) check(t *testing.T) (outcome string, overlays int, err error) {
	library, err := engine.Open(engine.Layered(p.files, p.base))
	if err != nil {
		return "", 0, err
	}
	mistakes := lint.Check(library, false)
	if p.served {
		if err := p.serve(t, mistakes == nil && len(library.Together([]string{"a", "b"})) == 1); err != nil {
			return "served", 0, err
		}
	}
	if mistakes != nil {
		if *composeRefusals {
			t.Log(mistakes)
		}
		return "refused", 0, p.placed(mistakes)
	}
	service := validate.New(library, validate.Config{})
	if sets := library.Together([]string{"a", "b"}); len(sets) == 2 {
		if service.CheckRules(validate.Rules{Overlays: []string{"a", "b"}}) == nil {
			return "apart", 0, errors.New("they are never together, and are applied together")
		}
		return "apart", 0, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.documents)) {
		said, err := p.sound(t.Context(), service, p.documents[name])
		if err != nil {
			return "sound", overlays, fmt.Errorf("%s: %w", name, err)
		}
		overlays += said
	}
	if err := everyCommand(library); err != nil {
		return "sound", overlays, err
	}
	return "sound", overlays, nil
}

// serve has a service begin with both overlays: it does where they pass the check and may be
// together, and then judges a document, with both and with each.
func (p *composedPair) serve(t *testing.T, may bool) error {
	dir := t.TempDir()
	for name, file := range p.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, file.Data, 0o600)); err != nil {
			return err
		}
	}
	config := server.DefaultConfig()
	config.RulesetsDir, config.Overlays = dir, []string{"plain", "a", "b"}
	s, err := server.New(config, slog.New(slog.DiscardHandler))
	switch {
	case !may && err == nil:
		return errors.New("the check refuses the pair, and a service begins with it")
	case !may:
		return nil
	case err != nil:
		return fmt.Errorf("the pair passes the check, and a service does not begin: %w", err)
	}
	for _, query := range []string{"", "?overlay=plain,a", "?overlay=plain,b", "?overlay=b,a,plain"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/validate/ubl"+query, bytes.NewReader(p.documents["base-ubl.xml"]))
		r.Header.Set("Content-Type", "application/xml")
		r.Header.Set("Authorization", "Bearer "+s.StartKey())
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != http.StatusOK && !strings.Contains(w.Body.String(), "VALIDATION-FAILED") {
			return fmt.Errorf("the service answers %s with %d %.300s", query, w.Code, w.Body)
		}
	}
	return nil
}

// placed reports whether a refusal has places.
func (p *composedPair) placed(err error) error {
	var mistakes engine.LoadErrors
	if !errors.As(err, &mistakes) {
		return err
	}
	for _, m := range mistakes {
		if m.File == "" || m.Line == 0 {
			return fmt.Errorf("a refusal has no place: %w", m)
		}
	}
	return nil
}

func (p *composedPair) sound(ctx context.Context, service *validate.Service, data []byte) (told int, err error) {
	at := map[string]*validate.Result{}
	for name, overlays := range map[string][]string{
		"none": {"plain"}, "a": {"plain", "a"}, "b": {"plain", "b"}, "ab": {"plain", "a", "b"}, "ba": {"b", "a", "plain"},
	} {
		result, err := service.Validate(ctx, data, validate.Rules{Overlays: overlays})
		if err != nil {
			return 0, fmt.Errorf("with %s: %w", name, err)
		}
		at[name] = result
	}
	none, a, b, ab, ba := decidedIn(at["none"].Report), decidedIn(at["a"].Report), decidedIn(at["b"].Report), decidedIn(at["ab"].Report), decidedIn(at["ba"].Report)
	if !maps.Equal(ab, ba) {
		return 0, fmt.Errorf("the order matters: %v and %v", ab, ba)
	}
	isOver := slices.ContainsFunc(at["b"].Report.Overlays, func(o engine.OverlayInfo) bool { return o.Name == "a" }) // b brings a with it
	for key := range union(none, a, b, ab) {
		if isOver {
			if ab[key] != b[key] {
				return 0, fmt.Errorf("%s is %q with both, and %q with the one that is over the other", key, ab[key], b[key])
			}
			continue
		}
		if err := beside(key, none[key], a[key], b[key], ab[key]); err != nil {
			return 0, err
		}
	}
	for _, f := range at["ab"].Report.Findings {
		if f.Overlay == "" {
			continue
		}
		told++
		for _, name := range strings.Split(f.Overlay, ", ") {
			if name != "a" && name != "b" && (name == "plain" || f.Owner == "Germany" || f.Owner == "KoSIT") {
				continue
			}
			if name != "a" && name != "b" || !strings.Contains(f.Owner, "Owner of "+name) {
				return told, fmt.Errorf("%s is of overlay %q and owner %q", f.Rule, f.Overlay, f.Owner)
			}
			if !slices.ContainsFunc(at["ab"].Report.Overlays, func(o engine.OverlayInfo) bool { return o.Name == name && o.Applied }) {
				return told, fmt.Errorf("%s is of overlay %q, which does not apply", f.Rule, f.Overlay)
			}
		}
	}
	for _, format := range report.Formats {
		if _, err := format.Single(&report.Outcome{Name: "x.xml", Report: at["ab"].Report, Document: at["ab"].Document}, report.Options{Library: service.Library()}); err != nil {
			return told, fmt.Errorf("report %s: %w", format.Name, err)
		}
	}
	for _, rule := range []string{"CO-LIMIT", "CO-FALSE"} {
		if set, ok := at["ab"].Validator().Ruleset("company", "1"); ok {
			if _, has := set.Rule(rule); !has {
				return told, fmt.Errorf("rule %s is gone", rule)
			}
		}
	}
	return told, nil
}

// beside holds the level of a finding with both overlays, "" for none, against those with each
// alone: what one of them changes, both do.
func beside(key, none, a, b, both string) error {
	fires := func(level string) bool { return level != "" }
	want := fires(none)
	if fires(a) != fires(none) {
		want = fires(a)
	}
	if fires(b) != fires(none) {
		if fires(a) != fires(none) && fires(a) != fires(b) {
			return fmt.Errorf("%s fires by one overlay and not by the other, and both are accepted", key)
		}
		want = fires(b)
	}
	if fires(both) != want {
		return fmt.Errorf("%s is %q with both, without %q, with a %q, with b %q", key, both, none, a, b)
	}
	if !fires(none) || !fires(a) || !fires(b) || !want { // a level shows where the rule fires
		return nil
	}
	level := none
	if a != none {
		level = a
	}
	if b != none {
		if a != none && a != b {
			return fmt.Errorf("%s is %q by a and %q by b, and both are accepted", key, a, b)
		}
		level = b
	}
	if both != level {
		return fmt.Errorf("%s is %q with both, without %q, with a %q, with b %q", key, both, none, a, b)
	}
	return nil
}

func union(all ...decided) decided {
	out := decided{}
	for _, d := range all {
		maps.Copy(out, d)
	}
	return out
}

// everyCommand reads the overlays as the commands beside validate do.
func everyCommand(library *engine.Library) error {
	if _, err := lint.Warnings(library); err != nil {
		return fmt.Errorf("warnings: %w", err)
	}
	if _, err := lint.ContentsOf(library); err != nil {
		return fmt.Errorf("contents: %w", err)
	}
	for _, rule := range []string{"CO-FALSE", "OWN-1"} {
		if _, err := ruletest.Cards(library, rule); err != nil {
			return fmt.Errorf("card of %s: %w", rule, err)
		}
	}
	overlays, err := overlaysOn(library, "")
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	for _, o := range overlays {
		ruletest.OverlayCardOf(o)
	}
	s := &side{library: library, overlays: []string{"a", "b"}}
	if _, err := diffOverlays(context.Background(), s, s, nil); err != nil {
		return fmt.Errorf("diff: %w", err)
	}
	if _, err := s.whole(s.overlays); err != nil {
		return fmt.Errorf("impact: %w", err)
	}
	return nil
}
