package source_test

import (
	"fmt"
	"slices"
	"testing"

	"einvoice/model/source"
)

// wide is a tree whose root has n children, which have the given names in turn. Each of
// them has one child with the name of the root.
func wide(n int, names ...source.Name) *source.Tree {
	tree := &source.Tree{Elements: make([]source.Element, 2, 2*n+2)}
	tree.Elements[1].Name = names[0]
	for i := range n {
		at := source.Node(len(tree.Elements))
		tree.Elements = append(tree.Elements,
			source.Element{Name: names[i%len(names)], Parent: 1, End: at + 2},
			source.Element{Name: names[0], Parent: at, End: at + 2})
	}
	tree.Elements[1].End = source.Node(len(tree.Elements))
	return tree
}

// The positional predicates of a path are right for elements with few and with many
// children, independent of which path is requested first.
func TestPathNumbers(t *testing.T) {
	const uri = "urn:test:siblings"
	names := source.Intern(
		source.QName{URI: uri, Local: "a"}, source.QName{URI: uri, Local: "b"}, source.QName{URI: uri, Local: "c"})
	for _, children := range []int{1, 2, 3, 5, 31, 32, 33, 34, 100} {
		for start := range children {
			tree := wide(children, names...)
			for k := range children {
				i := (start + k) % children
				name := names[i%len(names)]
				same := (children-i%len(names)-1)/len(names) + 1
				want := fmt.Sprintf("/%s/%s", names[0].QName(), name.QName())
				if same > 1 {
					want += fmt.Sprintf("[%d]", i/len(names)+1)
				}
				child := source.Node(2 + 2*i)
				if got := tree.Path(child.Ref()); got != want {
					t.Fatalf("%d children, %d first: child %d is at %s, want %s", children, start, i, got, want)
				}
				if got := tree.Path((child + 1).Ref()); got != want+"/"+names[0].QName().String() {
					t.Fatalf("%d children: inside child %d: %s", children, i, got)
				}
			}
		}
	}
}

// The index finds the same siblings as going through all of them, also those whose name
// was interned after the index was made.
func TestFollowingNamed(t *testing.T) {
	const uri = "urn:test:siblings"
	late := source.QName{URI: uri, Local: "late"}
	names := append(source.Intern(source.QName{URI: uri, Local: "a"}, source.QName{URI: uri, Local: "b"}), source.UnknownName(0))
	tree := wide(3*source.Few, names...)
	tree.Unknown = []source.QName{late}
	check := func(name source.Name) {
		t.Helper()
		for from := range tree.Children(tree.Root()) {
			var want []source.Node
			for c := from; c != 0; c = tree.NextSibling(c) {
				if tree.Name(c) == name {
					want = append(want, c)
				}
			}
			if got := tree.FollowingNamed(from, name); !slices.Equal(got, want) {
				t.Fatalf("from %d: got %v, want %v", from, got, want)
			}
		}
	}
	for _, name := range names {
		check(name)
	}
	interned := source.Intern(late)[0]
	if tree.Name(2+2*2) != interned {
		t.Fatal("the tree does not have the number of the name that was interned late")
	}
	check(interned)
}

func BenchmarkPathOfEveryLine(b *testing.B) {
	name := source.Intern(source.QName{URI: "urn:test:siblings", Local: "a"})[0]
	for _, children := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(children), func(b *testing.B) {
			for b.Loop() {
				tree := wide(children, name)
				for i := range children {
					tree.Path(source.Ref(2 + 2*i))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*children), "ns/line")
		})
	}
}
