package engine

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"einvoice/engine/expr"
	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// A compiledRule is a rule compiled for one type of node. Its expressions are
// compiled when a document first has such a node, because one document needs
// few of all rules.
//
// What each evaluation reads comes first, so that it is in as few lines of the processor's
// cache as possible: a document asks hundreds of rules, each once, and waits for memory more
// than for anything else.
type compiledRule struct {
	once       sync.Once
	asked      atomic.Bool // condition and err are there
	number     int32       // among the rules of its validator
	everywhere bool        // it applies whatever the root element
	condition  expr.Assertion
	*compiledRuleRest
}

// A compiledRuleRest is what few evaluations read.
type compiledRuleRest struct {
	err error // of compiling the condition

	form Form
	this expr.This
	env  *expr.Environment

	needOnce sync.Once
	needed   *xpath.Need

	messageOnce sync.Once
	message     message

	fields []fieldPath // over the model
	byType sync.Map    // over the source document: of a *model.Type, []fieldPath
}

func newCompiledRule(env *expr.Environment, form Form, number int, this expr.This) *compiledRule {
	return &compiledRule{everywhere: len(form.roots) == 0, number: int32(number), compiledRuleRest: &compiledRuleRest{form: form, this: this, env: env}}
}

// fieldsOf are the rule's fields for a group that was read from an element: those
// that the group has, and those that begin at the invoice. Of a rule that names none, they
// are those of its terms. The type is nil where no group was read.
func (c *compiledRule) fieldsOf(t *model.Type) []fieldPath {
	if known, ok := c.byType.Load(t); ok {
		return known.([]fieldPath)
	}
	var fields []fieldPath
	for _, text := range c.form.Fields.Value {
		if t == nil && !strings.HasPrefix(text, "/") {
			continue
		}
		if field, err := parseFieldPath(text, t); err == nil {
			fields = append(fields, field)
		}
	}
	if len(c.form.Fields.Value) == 0 && t != nil {
		fields = fieldsOfTerms(c.form.rule.BTCodes.Value, t)
	}
	c.byType.Store(t, fields)
	return fields
}

// fieldsOfTerms are the fields of terms from a group, or else from the invoice; there, no term
// of a list is meant.
func fieldsOfTerms(codes []string, t *model.Type) (fields []fieldPath) {
	for _, code := range codes {
		f := fieldPath{steps: t.StepsTo(code)}
		if f.steps == nil {
			f = fieldPath{absolute: true, steps: model.InvoiceType().StepsTo(code)}
			if f.steps == nil || f.steps[len(f.steps)-1].Kind == model.KindList {
				continue
			}
		}
		if !slices.ContainsFunc(fields, func(other fieldPath) bool { return slices.Equal(f.steps, other.steps) }) {
			fields = append(fields, f)
		}
	}
	return fields
}

// leavesAlone reports whether the rule does not apply to documents with this
// root element.
func (c *compiledRule) leavesAlone(doc *model.Document) bool {
	v := c.form.inDocument(doc)
	return v != nil && !v.Applies
}

// assertion is the compiled assertion; missing if it is wrong, and err says why then.
func (c *compiledRule) assertion() expr.Assertion {
	c.once.Do(func() {
		condition, err := c.env.Condition(c.form.Assert.Value, c.this)
		if c.err = err; err == nil {
			c.condition = condition.Assertion()
		}
		c.asked.Store(true)
	})
	return c.condition
}

// need is what the rule needs to be violated at an element. It is not looked for before the
// rule was asked once, because few are.
func (c *compiledRule) need() *xpath.Need {
	if !c.asked.Load() || c.err != nil {
		return nil
	}
	c.needOnce.Do(func() { c.needed = c.env.Need(c.form.Assert.Value, c.this) })
	return c.needed
}

// says is the message of the finding at the node that is this, and the values in it.
func (c *compiledRule) says(act *expr.Activation) (string, []words.Value) {
	c.messageOnce.Do(func() { c.message = compileMessage(c.env, c.form.Message.Value, c.this) })
	return c.message.render(act)
}

// A ruleGroup is all rules that share a context, so that it is looked for once.
type ruleGroup struct {
	// over the model
	Selection *xpath.ModelSelection
	byType    []typeRules

	// over the source document
	paths   []*xpath.SourcePath
	element []*compiledRule
}

// A boundGroup is a group at a route, with those of its rules that may be violated there.
type boundGroup struct {
	first likelyRule    // most groups have one; its rule is nil if there is none
	more  *[]likelyRule // nil if there are none
}

// typeRules are the rules of a group for one type, in the order of its Types.
type typeRules struct {
	of    *model.Type
	rules []*compiledRule
}

// of are the rules for a type.
func (g *ruleGroup) of(t *model.Type) []*compiledRule {
	for i := range g.byType {
		if g.byType[i].of == t {
			return g.byType[i].rules
		}
	}
	return nil
}

// modelRules are a group of rules over the model, with what each document reads of it.
type modelRules struct {
	root      *xpath.Root
	first     *model.Field         // that the context goes into from the root; nil where more is to be looked at
	plain     xpath.PlainSelection // empty for a context that is more
	only      []*compiledRule      // of a context that selects groups of one type
	selection *xpath.ModelSelection
	group     *ruleGroup
}

// ofModel is the group as a validator has it, once all rules are added.
func (g *ruleGroup) ofModel() modelRules {
	m := modelRules{root: g.Selection.Root(), first: g.Selection.FirstField(), plain: g.Selection.Plain, selection: g.Selection, group: g}
	if len(g.byType) == 1 {
		m.only = g.byType[0].rules
	}
	return m
}

// A likelyRule is a rule with what it needs to be violated. Of a rule that was asked before the
// group was bound, and that applies whatever the root element, it has what asking it reads.
type likelyRule struct {
	need      xpath.Gate
	rule      *compiledRule
	assertion expr.Assertion // missing for other rules
	number    int32
}

// BindTo is the group with what its rules need, and what one of them needs at least.
func (g *ruleGroup) BindTo(condition func(*xpath.Need) xpath.Condition) (to asked, without xpath.Condition) {
	var likely []likelyRule
	var conditions []xpath.Condition
	for _, c := range g.element {
		if needed := condition(c.need()); needed.MetBy(xpath.Everything) { // else it holds at this route in every document
			rule := likelyRule{need: needed.Gate(), rule: c, number: c.number}
			if c.everywhere && c.asked.Load() {
				rule.assertion = c.condition
			}
			likely = append(likely, rule)
			conditions = append(conditions, needed)
		}
	}
	bound := &boundGroup{}
	if len(likely) > 0 {
		bound.first = likely[0]
	}
	if len(likely) > 1 {
		more := slices.Clone(likely[1:])
		bound.more = &more
	}
	return bound, xpath.AnyOfConditions(conditions)
}

// Known counts the rules whose needs are known: those that were asked.
func (g *ruleGroup) Known() int {
	known := 0
	for _, c := range g.element {
		if c.asked.Load() {
			known++
		}
	}
	return known
}

func (g *ruleGroup) onSource() bool { return g.Selection == nil }

func newRuleGroup(context string) (*ruleGroup, error) {
	u, err := xpath.Parse(context)
	if err != nil {
		return nil, err
	}
	g := &ruleGroup{}
	if !xpath.SelectsInSource(context) {
		g.Selection, err = xpath.OverModel(u)
		return g, err
	}
	if g.paths, err = contextsOverSource(u.Paths); err != nil {
		return nil, err
	}
	for _, path := range g.paths {
		if err := path.SelectsElements(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// add prepares a rule, once for every type of node.
func (g *ruleGroup) add(env *expr.Environment, form Form, number int) error {
	if g.onSource() {
		g.element = append(g.element, newCompiledRule(env, form, number, expr.Element()))
		return checkSourceFields(form.Fields.Value)
	}
	var failure error
	for _, t := range g.Selection.Types() {
		c := newCompiledRule(env, form, number, expr.Group(t))
		for _, text := range form.Fields.Value {
			path, err := parseFieldPath(text, t)
			if err != nil {
				failure = err
				continue
			}
			c.fields = append(c.fields, path)
		}
		at := slices.IndexFunc(g.byType, func(r typeRules) bool { return r.of == t })
		if at < 0 {
			at, g.byType = len(g.byType), append(g.byType, typeRules{of: t})
		}
		g.byType[at].rules = append(g.byType[at].rules, c)
	}
	return failure
}

// types are the types that this has in the context.
func (g *ruleGroup) Types() []expr.This {
	if g.onSource() {
		return []expr.This{expr.Element()}
	}
	var all []expr.This
	for _, t := range g.Selection.Types() {
		all = append(all, expr.Group(t))
	}
	return all
}

// CheckForm compiles all expressions of a form of a rule, and reports those that are wrong.
func CheckForm(env *expr.Environment, form Form) (failures LoadErrors) {
	file := form.rule.file
	g, err := newRuleGroup(form.Context.Value)
	if err != nil {
		return LoadErrors{form.Context.Mistake(file, err)}
	}
	if err := g.add(env, form, 0); err != nil {
		failures = append(failures, form.Fields.Mistake(file, err))
	}
	for _, this := range g.Types() {
		if _, err := env.Condition(form.Assert.Value, this); err != nil {
			failures = append(failures, form.Assert.Mistake(file, err))
		}
		if m := compileMessage(env, form.Message.Value, this); m.err != nil {
			failures = append(failures, form.Message.Mistake(file, m.err))
		}
	}
	return failures
}
