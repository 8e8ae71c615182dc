package cli

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// diagramPage is the page with the diagrams of imports.
const diagramPage = "../../../docs/architecture.md"

// A graph has the imports of each package within the module, and what the package is.
type graph struct {
	imports map[string]map[string]bool
	is      map[string]string
}

// importsOfModule reads the imports of all packages, tests aside.
func importsOfModule(t *testing.T) graph {
	t.Helper()
	g := graph{imports: map[string]map[string]bool{}, is: map[string]string{}}
	err := filepath.WalkDir("../../..", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && file != "../../.." {
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../../")
		if g.imports[pkg] == nil {
			g.imports[pkg] = map[string]bool{}
		}
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if own, ok := strings.CutPrefix(name, "einvoice/"); ok {
				g.imports[pkg][own] = true
			}
		}
		if parsed.Doc != nil {
			said := new(doc.Package).Synopsis(parsed.Doc.Text())
			g.is[pkg] = strings.TrimRight(strings.TrimPrefix(said, "Package "+parsed.Name.Name+" "), ".:")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// below are a package and all that it links.
func (g graph) below(pkg string, into map[string]bool) {
	if into[pkg] {
		return
	}
	into[pkg] = true
	for used := range g.imports[pkg] {
		g.below(used, into)
	}
}

// reduced leaves out the imports that follow from others.
func (g graph) reduced(among map[string]bool) (edges [][2]string) {
	for _, pkg := range slices.Sorted(maps.Keys(among)) {
		for _, used := range slices.Sorted(maps.Keys(g.imports[pkg])) {
			further := false
			for other := range g.imports[pkg] {
				if other != used && among[other] {
					reach := map[string]bool{}
					g.below(other, reach)
					further = further || reach[used]
				}
			}
			if among[used] && !further {
				edges = append(edges, [2]string{pkg, used})
			}
		}
	}
	return edges
}

// mermaid is a diagram with a frame around the packages of each folder.
func mermaid(among map[string]bool, edges [][2]string) string {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TB\n")
	frames := map[string][]string{}
	for pkg := range among {
		folder, _, _ := strings.Cut(pkg, "/")
		frames[folder] = append(frames[folder], pkg)
	}
	for _, folder := range slices.Sorted(maps.Keys(frames)) {
		if pkgs := frames[folder]; len(pkgs) == 1 {
			fmt.Fprintf(&b, "  %s[%s]\n", strings.ReplaceAll(pkgs[0], "/", "_"), pkgs[0])
			continue
		}
		fmt.Fprintf(&b, "  subgraph %s_[%s]\n", folder, folder)
		for _, pkg := range slices.Sorted(slices.Values(frames[folder])) {
			fmt.Fprintf(&b, "    %s[%s]\n", strings.ReplaceAll(pkg, "/", "_"), path.Base(pkg))
		}
		b.WriteString("  end\n")
	}
	for _, e := range edges {
		fmt.Fprintf(&b, "  %s --> %s\n", strings.ReplaceAll(e[0], "/", "_"), strings.ReplaceAll(e[1], "/", "_"))
	}
	return b.String() + "```\n"
}

// byFolder is the graph of the folders at the root.
func (g graph) byFolder() graph {
	folders := graph{imports: map[string]map[string]bool{}}
	for pkg, used := range g.imports {
		from, _, _ := strings.Cut(pkg, "/")
		if folders.imports[from] == nil {
			folders.imports[from] = map[string]bool{}
		}
		for name := range used {
			if to, _, _ := strings.Cut(name, "/"); to != from {
				folders.imports[from][to] = true
			}
		}
	}
	return folders
}

// TestDiagram sees that the diagrams of docs/architecture.md are those of the imports; -update
// writes them.
func TestDiagram(t *testing.T) {
	g := importsOfModule(t)
	folders, all := g.byFolder(), map[string]bool{}
	for folder := range folders.imports {
		all[folder] = folder != "deploy"
	}
	maps.DeleteFunc(all, func(_ string, in bool) bool { return !in })
	way := map[string]bool{}
	g.below("service/validate", way)
	var table strings.Builder
	table.WriteString("| package | what it does |\n| --- | --- |\n")
	for _, pkg := range slices.Sorted(maps.Keys(way)) {
		fmt.Fprintf(&table, "| `%s` | %s |\n", pkg, inMarkdown(g.is[pkg]))
	}
	data, err := os.ReadFile(diagramPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for name, made := range map[string]string{"folders": mermaid(all, folders.reduced(all)), "validate": mermaid(way, g.reduced(way)), "packages": table.String()} {
		from, to := "<!-- make diagram: "+name+" -->\n", "<!-- end -->\n"
		before, rest, found := strings.Cut(page, from)
		have, after, ended := strings.Cut(rest, to)
		if !found || !ended {
			t.Fatalf("the page has no place for %s", name)
		}
		if have != made && !*update {
			t.Errorf("the part %s of docs/architecture.md is not what the imports say: run make diagram", name)
		}
		page = before + from + made + to + after
	}
	if len(way) < 20 {
		t.Errorf("only %d packages validate", len(way))
	}
	if *update {
		if err := os.WriteFile(diagramPage, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
