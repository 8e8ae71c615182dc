package schema_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/schema"
	"einvoice/formats/xmlparse"
	"einvoice/model/sampled"
	"einvoice/model/source"
)

var (
	mutants = flag.Int("mutants", sampled.Of(12_000, 20), "how many documents TestMutants makes")
	keepDir = flag.String("keep-mutants", "", "a folder to write the mutants to, for another validator; those of each schema in one of its own")
	seed    = flag.Uint64("mutant-seed", 1, "which mutants TestMutants makes")
)

// Documents made from the content models are valid, also for the oracle.
func TestInstances(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(published)) {
		t.Run(name, func(t *testing.T) {
			s, o := load(t, name), newOracle(t, name)
			random := rand.New(rand.NewPCG(*seed, 0))
			size := 0
			for range 200 {
				doc := s.Instance(random)
				size += len(doc)
				tree := parse(t, []byte(doc))
				faults := s.Check(tree, 10)
				objection := o.refuses(doc)
				if len(faults) > 0 || objection != nil {
					t.Fatalf("we say %s\nthe oracle says %v\n%s", messages(tree, faults), objection, doc)
				}
			}
			t.Logf("200 documents, %d KB", size/1024)
		})
	}
}

// seeds are valid documents to mutate, by schema.
func seeds(t *testing.T, random *rand.Rand) map[string][]*node {
	const large = 60_000 // bytes; more would only take time
	out := map[string][]*node{}
	for _, suite := range suites {
		docs := documents(t, suite)
		for _, file := range slices.Sorted(maps.Keys(docs)) {
			tree := parse(t, docs[file])
			for _, name := range slices.Sorted(maps.Keys(published)) {
				if s := load(t, name); len(tree.Data) < large && len(s.Check(tree, 1)) == 0 {
					out[name] = append(out[name], readNode(t, tree.Data))
				}
			}
		}
	}
	for name := range published {
		for range len(out[name])/4 + 20 {
			out[name] = append(out[name], readNode(t, load(t, name).Instance(random)))
		}
	}
	return out
}

// isOracleLax reports whether the only faults are white space in elements that must
// be empty: libxml2 and the recommendation refuse it, the oracle does not.
func isOracleLax(tree *source.Tree, faults []schema.Fault) bool {
	return len(faults) > 0 && !slices.ContainsFunc(faults, func(f schema.Fault) bool {
		return f.Rule != schema.RuleContent || strings.TrimSpace(tree.Text(f.Ref.Element())) != ""
	})
}

// The verdict on documents that were changed at random is the same as the oracle's.
func TestMutants(t *testing.T) {
	names := slices.Sorted(maps.Keys(published))
	for _, name := range names {
		newOracle(t, name) // skips the test if the published schemas are not there
	}
	random := rand.New(rand.NewPCG(*seed, 1))
	begin := seeds(t, random)
	mutators := map[string]*mutator{}
	for _, name := range names {
		m := &mutator{Rand: random}
		for _, root := range begin[name] {
			for _, e := range root.elements() {
				m.names = append(m.names, e.name)
				for _, a := range e.attrs {
					if !strings.HasPrefix(a.name, "xmlns") {
						m.attrs = append(m.attrs, a.name)
					}
				}
				if len(e.elements()) < 20 {
					m.parts = append(m.parts, e)
				}
			}
		}
		m.names = append(m.names, "cbc:ID", "ram:ID", "unknown", "ds:KeyInfo")
		mutators[name] = m
		t.Logf("%s: %d documents to begin with", name, len(begin[name]))
	}
	made, invalid, differ := 0, 0, 0
	rules := map[string]int{}
	for i := 0; made < *mutants && i < 2**mutants; i++ {
		name := names[i%len(names)]
		root := pick(random, begin[name]).clone()
		for range 1 + random.IntN(3) {
			mutators[name].mutate(root)
		}
		doc := finished(root)
		tree, err := xmlparse.Parse([]byte(doc), xmlparse.Limits{})
		if err != nil {
			continue // it uses a prefix that it does not declare
		}
		faults := load(t, name).Check(tree, 100)
		made++
		if len(faults) > 0 {
			invalid++
			rules[faults[0].Rule]++
		}
		if objection := newOracle(t, name).refuses(doc); (objection == nil) != (len(faults) == 0) && !isOracleLax(tree, faults) {
			if differ++; differ <= 10 {
				t.Errorf("%s, mutant %d: the oracle says %v\nwe say %s", name, i, objection, messages(tree, faults))
			}
		}
		if *keepDir != "" {
			file := filepath.Join(*keepDir, name, fmt.Sprintf("%06d-%v.xml", i, len(faults) == 0))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(doc), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d mutants, %d of them invalid, %d verdicts differ; first faults: %v", made, invalid, differ, rules)
	if made < *mutants {
		t.Errorf("only %d of %d mutants are well-formed", made, *mutants)
	}
}
