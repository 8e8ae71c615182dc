package cases

import (
	"encoding/binary"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"

	"einvoice/model"
)

// Matches holds where a regular expression (RE2) matches somewhere in the text of the term. ok
// is false of one of which package cases cannot say which texts it matches: it asks for lines
// or words, or has a mistake.
func Matches(term, expression string) (c *Condition, ok bool) {
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, false
	}
	if _, ok := machineOf(expression); !ok {
		return nil, false
	}
	return &Condition{op: part, term: term, expression: expression, holds: func(v Value) bool { return !v.Absent && re.MatchString(v.Text) }}, true
}

// IsWord holds where the term has a word, with white space around it or without. ok is false of
// what is not one word.
func IsWord(term, word string) (c *Condition, ok bool) {
	if fields := strings.Fields(word); len(fields) != 1 || fields[0] != word {
		return nil, false
	}
	return IsOneOf(term, word)
}

// IsOneOf holds where the term has one of some words, with white space around it or without.
func IsOneOf(term string, words ...string) (c *Condition, ok bool) {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return Matches(term, `^[ \t\r\n]*(?:`+strings.Join(quoted, "|")+`)[ \t\r\n]*$`)
}

// A machine finds the texts in which a regular expression matches, sign by sign.
type machine struct{ prog *syntax.Prog }

// machineOf is the machine of an expression that may match anywhere.
func machineOf(expression string) (machine, bool) {
	parsed, err := syntax.Parse("(?s:.*)(?:"+expression+")(?s:.*)", syntax.Perl)
	if err != nil {
		return machine{}, false
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > mostInstructions {
		return machine{}, false
	}
	known := syntax.EmptyBeginText | syntax.EmptyEndText
	for _, i := range prog.Inst {
		if i.Op == syntax.InstEmptyWidth && syntax.EmptyOp(i.Arg)&^known != 0 {
			return machine{}, false
		}
	}
	return machine{prog}, true
}

const (
	mostInstructions = 20000 // of a machine
	mostStates       = 4096  // of machines side by side
	mostTexts        = 256   // that differ in what matches them
	mostSteps        = 1e6   // of all machines
	mostOfTexts      = 100e6 // of all that one Texts remembers: rules are compared each with each
)

// closed are the instructions that are reached from some without a sign.
func (m machine) closed(from []uint32, at syntax.EmptyOp) (reached []uint32) {
	seen := map[uint32]bool{}
	for todo := slices.Clone(from); len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &m.prog.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^at == 0 {
				todo = append(todo, i.Out)
			}
		case syntax.InstFail:
		default:
			reached = append(reached, pc)
		}
	}
	slices.Sort(reached)
	return reached
}

// step is where a sign leads from instructions that are closed.
func (m machine) step(closed []uint32, sign rune) (next []uint32) {
	for _, pc := range closed {
		if i := &m.prog.Inst[pc]; i.Op != syntax.InstMatch && i.MatchRune(sign) && !slices.Contains(next, i.Out) {
			next = append(next, i.Out)
		}
	}
	slices.Sort(next)
	return next
}

func (m machine) accepts(from []uint32, at syntax.EmptyOp) bool {
	return slices.ContainsFunc(m.closed(from, at|syntax.EmptyEndText), func(pc uint32) bool { return m.prog.Inst[pc].Op == syntax.InstMatch })
}

// differing are texts of which each is matched by other ones of some expressions, all that
// there are; ok is false where there are too many to look at. steps is what it took to find them.
func differing(expressions []string) (texts []string, steps int, ok bool) {
	machines := make([]machine, len(expressions))
	for i, e := range expressions {
		if machines[i], ok = machineOf(e); !ok {
			return nil, 0, false
		}
		steps += len(machines[i].prog.Inst)
	}
	signs := signsOf(machines)
	type states struct {
		of   [][]uint32
		text string
	}
	first := states{of: make([][]uint32, len(machines))}
	for i, m := range machines {
		first.of[i] = []uint32{uint32(m.prog.Start)}
	}
	seen, matched := map[string]bool{}, map[string]bool{}
	var key []byte
	at := syntax.EmptyBeginText
	for todo := []states{first}; len(todo) > 0; todo, at = todo[1:], 0 {
		s := todo[0]
		matches := make([]byte, len(machines))
		closed := make([][]uint32, len(machines))
		for i, m := range machines {
			closed[i] = m.closed(s.of[i], at)
			if m.accepts(s.of[i], at) {
				matches[i] = 1
			}
		}
		if !matched[string(matches)] {
			matched[string(matches)] = true
			texts = append(texts, s.text)
		}
		for _, sign := range signs {
			next := make([][]uint32, len(machines))
			key = key[:0]
			for i, m := range machines {
				next[i] = m.step(closed[i], sign)
				steps += len(closed[i])
				for _, pc := range next[i] {
					key = binary.LittleEndian.AppendUint32(key, pc)
				}
				key = binary.LittleEndian.AppendUint32(key, math.MaxUint32) // ends the states of a machine
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				todo = append(todo, states{next, s.text + string(sign)})
			}
		}
		if len(seen) > mostStates || len(texts) > mostTexts || steps > mostSteps {
			return nil, steps, false
		}
	}
	return texts, steps, true
}

// Texts remembers the texts that differ, by their expressions. When looking for them has taken
// too many steps together, it knows no more.
type Texts struct {
	mu    sync.Mutex
	known map[string]differ
	steps int
}

// A differ is what [differing] returned.
type differ struct {
	texts []string
	ok    bool
}

// mostRemembered is how many lists of expressions are remembered.
const mostRemembered = 4096

func (t *Texts) differing(expressions []string) (texts []string, ok bool) {
	if t == nil {
		texts, _, ok = differing(expressions)
		return texts, ok
	}
	key := strings.Join(expressions, "\x00")
	t.mu.Lock()
	defer t.mu.Unlock()
	if of, is := t.known[key]; is {
		return of.texts, of.ok
	}
	if t.steps > mostOfTexts {
		return nil, false
	}
	texts, steps, ok := differing(expressions)
	t.steps += steps
	if t.known == nil || len(t.known) >= mostRemembered {
		t.known = map[string]differ{}
	}
	t.known[key] = differ{texts, ok}
	return texts, ok
}

// signsOf is one sign of each kind that machines tell apart, of those that XML may have.
func signsOf(machines []machine) (signs []rune) {
	bounds := []rune{0, '\n', '\n' + 1, ' ', 0xD800, 0xE000, unicode.MaxRune + 1}
	for _, m := range machines {
		for i := range m.prog.Inst {
			runes := m.prog.Inst[i].Rune
			for at := 0; at < len(runes); at += 2 {
				low, high := runes[at], runes[min(at+1, len(runes)-1)]
				bounds = append(bounds, low, high+1)
			}
			if len(runes) == 1 { // whatever its case, perhaps
				for r := unicode.SimpleFold(runes[0]); r != runes[0]; r = unicode.SimpleFold(r) {
					bounds = append(bounds, r, r+1)
				}
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for i, low := range bounds[:len(bounds)-1] {
		sign, high := low, bounds[i+1]
		for _, plain := range "X0x " {
			if low <= plain && plain < high {
				sign = plain
				break
			}
		}
		if sign >= ' ' && (sign < 0xD800 || sign > 0xDFFF) || strings.ContainsRune("\t\n\r", sign) {
			signs = append(signs, sign)
		}
	}
	return signs
}

// addDiffering adds texts that differ in which of the expressions about a term match them, and
// in which of its texts they are; ok is false where that cannot be said.
func (s *space) addDiffering(known *Texts, term string, expressions []string) (ok bool) {
	all := slices.Clone(expressions)
	for _, v := range s.of[term] {
		all = append(all, "^"+regexp.QuoteMeta(v.Text)+"$")
	}
	texts, ok := known.differing(slices.Compact(slices.Sorted(slices.Values(all))))
	for _, text := range texts {
		if v := (Value{Text: text}); !slices.Contains(s.of[term], v) {
			s.of[term] = append(s.of[term], v)
		}
	}
	return ok && !s.numeric[term]
}

// Dated holds where the term is a day that compares with another one as wanted says.
func Dated(term, day string, wanted func(sign int) bool) *Condition {
	return &Condition{op: part, term: term, texts: nearDays(day), holds: func(v Value) bool {
		have := model.NewDate(v.Text)
		return !v.Absent && have.Valid && wanted(strings.Compare(have.ISO(), day))
	}}
}
