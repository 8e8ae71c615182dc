package expr

import (
	"fmt"
	"iter"
	"sync"

	"einvoice/engine/lookup"
	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// Names of the two variables that every expression has.
const (
	varThis    = "this"
	varInvoice = "invoice"
)

// A CodeLists finds a code list by its name and returns how to ask it for a code.
type CodeLists func(name string) (contains func(code string) bool, err error)

// Options are what an environment needs from its owner. All may be missing.
type Options struct {
	CodeLists CodeLists
	Tables    Tables
	Stores    iter.Seq[*Store]      // of expressions that are checked already
	Ended     func() error          // why no more are checked; nil where they always are
	Pay       func(bytes int) error // asks for the memory of what is much larger than its text; nil where nobody bounds it
}

// An Environment compiles expressions. It is safe for concurrent use.
type Environment struct {
	options Options
	paths   sync.Map // string -> *xpath.SourcePath: one a text, so that what it leads to is remembered once
}

// NewEnvironment makes an environment.
func NewEnvironment(o Options) *Environment {
	if o.CodeLists == nil {
		o.CodeLists = func(name string) (func(string) bool, error) {
			return nil, fmt.Errorf("there is no code list %q", name)
		}
	}
	if o.Tables == nil {
		o.Tables = func(name string) (*lookup.Table, error) { return nil, fmt.Errorf("there is no table %q", name) }
	}
	if o.Pay == nil {
		o.Pay = func(int) error { return nil }
	}
	if o.Stores == nil {
		o.Stores = func(func(*Store) bool) {}
	}
	return &Environment{options: o}
}

// An Error is a mistake in an expression; Line and Column count within it from
// 1, and are 0 where they are not known.
type Error struct {
	Line, Column int
	Message      string
}

func (e *Error) Error() string { return e.Message }

// path compiles a path in an assertion.
func (env *Environment) path(text string) (*xpath.SourcePath, error) {
	if known, ok := env.paths.Load(text); ok {
		return known.(*xpath.SourcePath), nil
	}
	x, err := xpath.ParseRelative(text)
	if err != nil {
		return nil, err
	}
	path, err := xpath.JoinedOverSource(x)
	if err != nil {
		return nil, err
	}
	known, _ := env.paths.LoadOrStore(text, path)
	return known.(*xpath.SourcePath), nil
}

// baseEnv knows every operator, function and macro of the rule language, and no
// variable yet.
var baseEnv = sync.OnceValues(func() (*cel.Env, error) {
	options := []cel.EnvOption{
		cel.CustomTypeProvider(types.Provider(provider())),
		cel.Macros(append(cel.StandardMacros, sumMacro, sumWhereMacro)...),
	}
	options = append(options, lookupDeclarations()...)
	for name, overloads := range declarations() {
		options = append(options, cel.Function(name, overloads...))
	}
	return cel.NewCustomEnv(options...)
})

var envs sync.Map // string -> *cel.Env

// envFor is the environment in which this has the given type.
func envFor(this *types.Type) (*cel.Env, error) {
	if env, ok := envs.Load(this.String()); ok {
		return env.(*cel.Env), nil
	}
	base, err := baseEnv()
	if err != nil {
		return nil, err
	}
	env, err := base.Extend(
		cel.Variable(varThis, this),
		cel.Variable(varInvoice, types.NewObjectType(model.InvoiceType().Name)),
	)
	if err != nil {
		return nil, err
	}
	envs.Store(this.String(), env)
	return env, nil
}
