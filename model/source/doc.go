// Package source holds a parsed XML document in the form that everything after
// the parser reads: one flat slice of elements in document order, names as
// small integers, texts as substrings of the input, positions as byte offsets.
//
// A tree is made by formats/xmlparse, never changed afterwards, and safe for
// concurrent reading:
//
//	root := tree.Root()
//	for child := range tree.Children(root) {
//		fmt.Println(tree.Name(child), tree.Text(child), tree.Position(child.Ref()))
//	}
package source
