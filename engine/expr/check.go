package expr

import (
	"sync"

	"einvoice/model"

	"github.com/google/cel-go/common/ast"
)

// checked are expressions that were checked lately: rules that somebody edits are checked
// when they are loaded, and compiled again when a document needs them. Nodes do not change.
var checked = struct {
	sync.Mutex
	nodes map[string]*node
}{nodes: map[string]*node{}}

const (
	mostChecked    = 4096 // expressions that are remembered
	longestChecked = 4096 // bytes of one
)

// checkOnce is check, which remembers.
func checkOnce(text string, this This) (*node, error) {
	if Looks(text) { // what the tables are is up to each library
		return check(text, this)
	}
	key := storeKey(text, this)
	checked.Lock()
	n := checked.nodes[key]
	checked.Unlock()
	if n != nil {
		return n, nil
	}
	n, err := check(text, this)
	if err != nil || len(text) > longestChecked {
		return n, err
	}
	checked.Lock()
	defer checked.Unlock()
	if len(checked.nodes) >= mostChecked {
		clear(checked.nodes)
	}
	checked.nodes[key] = n
	return n, nil
}

// check parses an expression and checks it against the type of this.
func check(text string, this This) (*node, error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	return nodesOf(tree, tree.Expr())
}

// checkedTree is the checked expression as cel-go has it.
func checkedTree(text string, this This) (*ast.AST, error) {
	env, err := envFor(this.typ)
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(text)
	if err := mistakeIn(issues, this, nil); err != nil {
		return nil, err
	}
	if err := exactNumbers(parsed.NativeRep(), text); err != nil {
		return nil, err
	}
	if Looks(text) {
		if err := lookUps(parsed.NativeRep(), this.env); err != nil {
			return nil, err
		}
	}
	checked, issues := env.Check(parsed)
	if err := mistakeIn(issues, this, func(field string) *model.Type { return groupWithout(env, parsed, field) }); err != nil {
		return nil, err
	}
	return checked.NativeRep(), nil
}
