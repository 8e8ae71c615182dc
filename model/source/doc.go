// Package source holds a parsed XML document: one slice of elements in document order,
// names as small integers, texts as substrings of the input, positions as byte offsets.
//
// A tree is made by formats/xmlparse. It is not changed afterwards, and is safe for
// concurrent use:
//
//	root := tree.Root()
//	for child := range tree.Children(root) {
//		fmt.Println(tree.Name(child), tree.Text(child), tree.Position(child.Ref()))
//	}
package source
