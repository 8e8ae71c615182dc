package proving

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine/ruletest"
	"einvoice/model/pattern"
	"einvoice/model/source"

	"gopkg.in/yaml.v3"
)

// A Change sets a value in a document; without one it removes.
type Change struct {
	Path  string
	Value *string
}

// A made document is one with some changes.
type made struct {
	base    *base
	changes []Change
	aimed   map[string]bool // ids of the asserts that it was made for
	data    []byte
}

// String is what was changed.
func (m *made) String() string {
	var all []string
	for _, c := range m.changes {
		if c.Value == nil {
			all = append(all, c.Path+": null")
		} else {
			all = append(all, fmt.Sprintf("%s: %q", c.Path, *c.Value))
		}
	}
	return m.base.name + " with {" + strings.Join(all, ", ") + "}"
}

// write makes the document, in the order of its schema; nil where the changes contradict
// each other.
func (m *made) write() []byte {
	d := copied(m.base.draft)
	for _, c := range m.changes {
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
		if c.Value != nil {
			n.Tag, n.Value = "!!str", *c.Value
		}
		if err := d.Set(c.Path, n); err != nil {
			return nil
		}
	}
	emptied(d)
	sorted(d, m.base.root)
	return d.Write()
}

// emptied takes the text of elements that have got elements.
func emptied(d *ruletest.Draft) {
	if len(d.Children) > 0 {
		d.Text = ""
	}
	for _, c := range d.Children {
		emptied(c)
	}
}

// variations are what is changed at the places that an assert looks at, one place at a time.
func (l *looker) variations() (all [][]Change) {
	for _, p := range l.found {
		all = append(all, l.ofPlace(p)...)
	}
	return all
}

func (l *looker) ofPlace(p *place) (all [][]Change) {
	set := func(value string) { all = append(all, append([]Change{{p.path, &value}}, p.required()...)) }
	if !p.missing {
		all = append(all, []Change{{Path: p.path}})
		if !p.attr {
			all = append(all, repeated(p))
		}
	}
	if !p.leaf() {
		if p.missing {
			set("")
			if filled := grafted(p); filled != nil {
				all = append(all, filled)
			}
		}
		return all
	}
	set("")
	set(" ")
	have := p.text()
	if have != "" {
		set(" " + have + " ")
		for _, v := range near(have) {
			set(v)
		}
	}
	for _, v := range l.candidates() {
		if v != have {
			set(v)
		}
	}
	for _, other := range l.found { // so that what is compared is equal
		if v := other.text(); other != p && v != "" && v != have && other.leaf() {
			set(v)
		}
	}
	return all
}

// repeated is a second element like one that is there.
func repeated(p *place) []Change {
	name, n := p.draft.Name, 0
	if p.parent == nil || p.parent.draft == nil {
		return nil
	}
	for _, c := range p.parent.draft.Children {
		if c.Name == name {
			n++
		}
	}
	return leaves(p.draft, joined(p.parent.path, fmt.Sprintf("%s[%d]", name, n+1)), nil)
}

// leaves are the changes that make an element like another at a path.
func leaves(d *ruletest.Draft, path string, out []Change) []Change {
	text := d.Text
	if len(d.Children) == 0 || len(d.Attrs) > 0 {
		out = append(out, Change{path, &text})
	}
	for _, a := range d.Attrs {
		value := a.Value
		out = append(out, Change{path + "/@" + a.Name.String(), &value})
	}
	count := map[source.QName]int{}
	for _, c := range d.Children {
		count[c.Name]++
		step := c.Name.String()
		if n := count[c.Name]; n > 1 {
			step = fmt.Sprintf("%s[%d]", step, n)
		}
		out = leaves(c, path+"/"+step, out)
	}
	return out
}

// grafted is an element like one of the same name elsewhere in the document.
func grafted(p *place) []Change {
	name := p.path[strings.LastIndexByte(p.path, '/')+1:]
	root := p
	for root.parent != nil {
		root = root.parent
	}
	var found *place
	root.each(func(at *place) {
		if found == nil && at.draft.Name.String() == name {
			found = at
		}
	})
	if found == nil {
		return nil
	}
	return leaves(found.draft, p.path, nil)
}

var (
	isNumber = pattern.Later(`^-?[0-9]+(\.[0-9]+)?$`)
	isDate   = pattern.Later(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	isDigits = pattern.Later(`^[0-9]{8}$`)
	noValue  = pattern.Later(`[\\^$|\[\](){}]`)
)

// near are values close to one that is there: boundaries, signs, cases, other digits.
func near(have string) (all []string) {
	switch {
	case isDate().MatchString(have) || isDigits().MatchString(have):
		cut := func(from, to int, with string) string { return have[:from] + with + have[to:] }
		if len(have) == 10 {
			return []string{cut(0, 4, "1999"), cut(0, 4, "2041"), cut(8, 10, "01"), cut(8, 10, "28"), have + "Z", have + "+01:00"}
		}
		return []string{cut(0, 4, "1999"), cut(0, 4, "2041"), cut(6, 8, "01"), cut(6, 8, "28")}
	case isNumber().MatchString(have):
		all = []string{"0", "0.00", "-0.00", "+1", "1.", ".5", "1e2", "-1", "100", have + "0", have + "1"}
		if n, err := strconv.ParseFloat(have, 64); err == nil {
			for _, d := range []float64{-1, -.02, -.01, .01, .02, 1} {
				all = append(all, strconv.FormatFloat(n+d, 'f', 2, 64))
			}
			all = append(all, strconv.FormatFloat(-n, 'f', -1, 64), strconv.FormatFloat(n+.001, 'f', 3, 64))
		}
		return all
	}
	all = []string{strings.ToLower(have), strings.ToUpper(have), have + "x", "x" + have}
	if len(have) > 1 {
		last := have[len(have)-1]
		other := byte('1')
		if last == '1' {
			other = '2'
		}
		all = append(all, have[:len(have)-1], have[:len(have)-1]+string(other), have[:1]+" "+have[1:])
	}
	return all
}

// matching is a short text that a regular expression takes.
func matching(pattern string) (string, bool) {
	r, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	one(&b, r)
	return b.String(), b.Len() < 5000
}

// one writes a text that a part of a regular expression takes.
func one(b *strings.Builder, r *syntax.Regexp) {
	times := 1
	switch r.Op {
	case syntax.OpLiteral:
		b.WriteString(string(r.Rune))
		return
	case syntax.OpCharClass:
		if len(r.Rune) > 0 {
			b.WriteRune(r.Rune[0])
		}
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
		return
	case syntax.OpAlternate:
		one(b, r.Sub[0])
		return
	case syntax.OpRepeat:
		times = max(r.Min, 1)
	}
	for range min(times, 1000) {
		for _, sub := range r.Sub {
			one(b, sub)
		}
	}
}

// candidates are the values that an assert names, and texts as long as its numbers say.
func (l *looker) candidates() (all []string) {
	for _, v := range l.values {
		if fits, ok := matching(v); ok && noValue().MatchString(v) {
			all = append(all, fits, fits+"x", fits[:max(len(fits)-1, 0)], " "+fits)
			continue
		}
		if noValue().MatchString(v) {
			continue
		}
		words := strings.Fields(v)
		if len(words) > 3 { // a list of codes
			all = append(all, words[0], words[len(words)/2], words[len(words)-1], strings.ToLower(words[0]), words[0]+" ", "ZZZ")
			continue
		}
		if v != "" && len(v) < 300 {
			all = append(all, v, v+"x", strings.ToLower(v))
		}
	}
	for _, v := range l.numbers {
		all = append(all, v)
		if n, err := strconv.Atoi(v); err == nil && n > 0 && n <= 5000 {
			all = append(all, strings.Repeat("a", n), strings.Repeat("a", n+1), strings.Repeat("1", min(n, 40)), strings.Repeat("1", min(n+1, 40)))
			if n < 10 {
				all = append(all, "1."+strings.Repeat("1", n), "1."+strings.Repeat("1", n+1))
			}
		}
	}
	all = append(all, "x", "1")
	return slices.Compact(all)
}

// chosen are documents to change for an assert: one that ships, and some of the folder, with
// what its context names if there are such.
func (a *assert) chosen(on []*base) (bases []*base, looked []*looker) {
	syntax := a.sheet.syntax()
	var without []*base
	take := func(b *base) {
		l := a.targets(b)
		if len(l.found) == 0 {
			return
		}
		if !slices.ContainsFunc(l.context, func(p *place) bool { return !p.missing }) {
			without = append(without, b)
			return
		}
		bases, looked = append(bases, b), append(looked, l)
	}
	fitting := slices.DeleteFunc(slices.Clone(on), func(b *base) bool { return b.doc.Syntax != syntax })
	for _, b := range fitting {
		if b.ours && len(bases) == 0 {
			take(b)
		}
	}
	fitting = slices.DeleteFunc(fitting, func(b *base) bool { return b.ours })
	for i := range fitting {
		if len(bases) >= mostBases {
			break
		}
		take(fitting[(number(a.ID)%uint64(len(fitting))+uint64(i))%uint64(len(fitting))])
	}
	for _, b := range without {
		if len(bases) < mostBases {
			bases, looked = append(bases, b), append(looked, a.targets(b))
		}
	}
	return bases, looked
}

// mostBases is how many documents are changed for one assert.
const mostBases = 3

// documents makes so many documents for an assert, beginning with another part of what is
// possible in every round.
func (a *assert) documents(on []*base, many, round int) (all []*made) {
	bases, looked := a.chosen(on)
	for i, b := range bases {
		singles := looked[i].variations()
		shuffle(singles, fmt.Sprint(a.ID, b.name))
		all = append(all, &made{base: b})
		n := max(many/len(bases), 2)
		from := min(round*n*2/3, len(singles))
		to := min(from+n*2/3, len(singles))
		for _, changes := range singles[from:to] {
			all = append(all, &made{base: b, changes: changes})
		}
		if len(singles) < 2 {
			continue
		}
		seed := number(fmt.Sprint(a.ID, b.name, round))
		for range n - (to - from) { // two places at once
			seed = seed*6364136223846793005 + 1442695040888963407
			x, y := singles[(seed>>33)%uint64(len(singles))], singles[(seed>>12)%uint64(len(singles))]
			if len(x) > 0 && len(y) > 0 && x[0].Path != y[0].Path {
				all = append(all, &made{base: b, changes: slices.Concat(x, y)})
			}
		}
	}
	for _, m := range all {
		m.aimed = map[string]bool{a.ID: true}
	}
	return all
}

func number(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// shuffle puts changes in an order that depends on a name alone.
func shuffle(all [][]Change, name string) {
	key := func(changes []Change) uint64 {
		text := name
		for _, c := range changes {
			text += "\x00" + c.Path
			if c.Value != nil {
				text += "\x01" + *c.Value
			}
		}
		return number(text)
	}
	slices.SortStableFunc(all, func(a, b []Change) int { return cmp.Compare(key(a), key(b)) })
}
