package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/engine/files"
	"einvoice/model/reserve"
	"einvoice/server/confine"
	"einvoice/service/operation"
	"einvoice/service/workbench"

	"gopkg.in/yaml.v3"
)

// grownBytes is about what one grown value of a draft is written in.
const grownBytes = 250_000

// usualValues are those of keys that have to make sense for the loader to go on to others, %d
// being the number of the entry.
var usualValues = map[string]string{
	"ruleset": "own", "version": "1", "extends": "en16931/1.3.16", "layer": "cius", "id": "OWN-%d", "level": "fatal", "context": "/invoice",
	"assert": "filled(this.buyerReference)", "btCodes": "BT-10", "fields": "buyerReference", "message": "State {this.buyerReference}.",
	"overlay": "own", "list": "own", "table": "own", "key": "a", "columns": "text", "language": "de", "until": "2027-01-01", "from": "warning",
	"date": "2. January 2006", "decimal": ",", "profiles": "en16931", "rulesets": "en16931", "kind": "absent", "rows": "cbc:ID", "base": "base",
	"type": "text", "specificationIds": "urn:own:%d", "validatedAs": "en16931", "syntax": "ubl", "on": "ubl", "only": "BR-0%d", "rules": "BR-0%d",
}

// A draftKey is a key of a kind of file, by the description of all keys: the names on the way to it.
type draftKey struct {
	kind string
	way  []string
}

func (k draftKey) String() string { return k.kind + " " + strings.Join(k.way, ".") }

// draftKeys are the keys of all kinds of files, those of a shape once for each kind.
func draftKeys() (all []draftKey) {
	d := files.Described()
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		seen := map[string]bool{}
		var walk func(shape string, way []string)
		walk = func(shape string, way []string) {
			if seen[shape] {
				return
			}
			seen[shape] = true
			for _, name := range slices.Sorted(maps.Keys(d.Shapes[shape])) {
				key, here := d.Shapes[shape][name], append(slices.Clone(way), name)
				all = append(all, draftKey{kind, here})
				for _, inner := range []string{key.Type, key.Of} {
					if d.Shapes[inner] != nil {
						walk(inner, here)
					}
				}
			}
		}
		walk(d.Kinds[kind].Shape, nil)
	}
	return all
}

// A draftMaker writes a file with the keys that it has to have, and grows some.
type draftMaker struct {
	grown map[string]string // how the key with these names grows
	size  int
}

// The ways in which a key grows.
var growths = []string{"long", "words", "many", "wrong", "constants"}

func (m *draftMaker) shape(name string, way []string, n int) map[string]any {
	out := map[string]any{}
	for key, k := range files.Described().Shapes[name] {
		here := append(slices.Clone(way), key)
		if !k.Required && !slices.ContainsFunc(slices.Collect(maps.Keys(m.grown)), func(g string) bool {
			return strings.HasPrefix(g+".", strings.Join(here, ".")+".")
		}) {
			continue
		}
		if key == "*" {
			key = "n"
		}
		out[key] = m.value(k, key, here, n)
	}
	return out
}

func (m *draftMaker) value(k *files.Key, name string, way []string, n int) any {
	one := func(i int) any {
		of := k.Of
		if k.Type != "list" && k.Type != "map" {
			of = k.Type
		}
		if files.Described().Shapes[of] != nil {
			return m.shape(of, way, i)
		}
		usual, known := usualValues[name]
		switch {
		case !known && name == "n":
			usual = "%d"
		case !known:
			usual = "Own %d"
		}
		if strings.Contains(usual, "%d") {
			usual = fmt.Sprintf(usual, i)
		}
		return usual
	}
	size := max(m.size, 1000)
	switch m.grown[strings.Join(way, ".")] {
	case "long":
		return strings.Repeat("a", size)
	case "words":
		return strings.Repeat("BR-01 ", size/6)
	case "constants":
		return strings.Repeat("${a}", size/4)
	case "wrong":
		return slices.Repeat([]any{map[string]any{"wrong": 1}}, size/10)
	case "many":
		sample, _ := yaml.Marshal(one(n))
		entries := max(2, size/(len(sample)+8))
		if k.Type == "map" {
			all := map[string]any{}
			for i := range entries {
				all[fmt.Sprintf("K-%d", i)] = one(i)
			}
			return all
		}
		all := make([]any, 0, entries)
		for i := range entries {
			all = append(all, one(i))
		}
		return all
	}
	switch k.Type {
	case "map":
		return map[string]any{"K-1": one(n)}
	case "list", "texts", "words":
		return []any{one(n)}
	case "boolean":
		return true
	}
	return one(n)
}

// file writes a file of a kind.
func (m *draftMaker) file(kind string) (name string, text []byte, err error) {
	k := files.Described().Kinds[kind]
	name = strings.NewReplacer("FAMILY", "own", "VERSION", "1", "NAME", "own", "TAG", "de").Replace(k.Path)
	content := m.shape(k.Shape, nil, 1)
	if _, has := files.Described().Shapes[k.Shape]["constants"]; has && content["constants"] == nil {
		content["constants"] = map[string]any{"a": strings.Repeat("b", 100)}
	}
	text, err = yaml.Marshal(content)
	return name, text, err
}

// TestKeysOfDrafts grows every key that a file of rules, an overlay, a code list or any other file
// has, alone and with a random second one, by the description of the files: checking such a draft
// takes no more memory than it asks for, and asks its context often enough to end with it.
func TestKeysOfDrafts(t *testing.T) {
	if !*attacks {
		t.Skip("skipped: make attack runs it")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	empty, _ := json.Marshal(map[string]any{})
	_, _ = workbench.New(s, workbench.Config{}).Call(t.Context(), "rules", empty) // compiles what is compiled on first use
	keys := draftKeys()
	random := rand.New(rand.NewPCG(29, 1))
	tried := 0
	try := func(t *testing.T, m *draftMaker, kind string) {
		name, text, err := m.file(kind)
		if err != nil {
			t.Fatal(err)
		}
		draft := map[string]string{name: string(text)}
		if path.Dir(name) == "languages/de/own/1" { // what it translates
			_, rules, _ := (&draftMaker{}).file("rules")
			draft["own/1/own.yaml"] = string(rules)
		}
		call := []string{"draft", "rules"}[random.IntN(2)]
		body, _ := json.Marshal(map[string]any{"draft": draft})
		tried++
		var took, asked int64
		var longest time.Duration
		var failed error
		for i := range lawTries {
			grant := int64(0)
			ctx := measured()
			spent := peak(func() {
				_, failed = workbench.New(s, workbench.Config{}).Call(reserve.With(ctx, func(n int64) error { grant += n; return nil }), call, body)
			})
			_ = ctx.Err()
			if over := spent - grant; i == 0 || over < took-asked {
				took, asked = spent, grant
			}
			if i == 0 || ctx.longest < longest {
				longest = ctx.longest
			}
			if took <= asked+heapSlack && longest < confine.Grace/2 {
				break
			}
		}
		line := fmt.Sprintf("%-5s of %d bytes: %.1f MB, %.1f asked for; %v without a question; %.80v", call, len(text), float64(took)/1e6, float64(asked)/1e6, longest.Round(time.Millisecond), failed)
		if took > asked+heapSlack || longest > confine.Grace {
			t.Error(line)
		} else {
			t.Log(line)
		}
	}
	one := func(k draftKey, how string, size int, others map[string]string) *draftMaker {
		grown := map[string]string{strings.Join(k.way, "."): how}
		maps.Copy(grown, others)
		return &draftMaker{grown: grown, size: size}
	}
	for _, k := range keys {
		for _, how := range growths {
			t.Run(fmt.Sprintf("%s %s", k, how), func(t *testing.T) { try(t, one(k, how, grownBytes, nil), k.kind) })
		}
	}
	for range len(keys) {
		k, other := keys[random.IntN(len(keys))], keys[random.IntN(len(keys))]
		for other.kind != k.kind {
			other = keys[random.IntN(len(keys))]
		}
		how, too := growths[random.IntN(len(growths))], growths[random.IntN(len(growths))]
		t.Run(fmt.Sprintf("%s %s and %s %s", k, how, other, too), func(t *testing.T) {
			try(t, one(k, how, 3*grownBytes/10, map[string]string{strings.Join(other.way, "."): too}), k.kind)
		})
	}
	t.Logf("%d calls", tried)
}
