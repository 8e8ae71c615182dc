package expr

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// An automaton decides whether something in a text matches a regular expression with one look
// at a table for each character. It is for ASCII, and for expressions that need few states.
type automaton struct {
	class  [utf8.RuneSelf]uint8 // of the characters that the expression does not tell apart
	states []automatonState     // the first is that before a text
}

type automatonState struct {
	next    []uint8 // by class
	decided bool    // whatever follows
	matches bool    // if it is decided, or if the text ends here
}

// mostStates bounds the table, and the time that it takes to make.
const mostStates = 64

// match reports whether something in a text matches; known is false for a text with other
// characters than ASCII.
func (a *automaton) match(s string) (matches, known bool) {
	at := &a.states[0]
	for i := 0; i < len(s) && !at.decided; i++ {
		if s[i] >= utf8.RuneSelf {
			return false, false
		}
		at = &a.states[at.next[a.class[s[i]]]]
	}
	return at.matches, true
}

// newAutomaton makes the automaton of an expression; nil for one that needs too many states, or
// that asks for more than where a text begins and ends.
func newAutomaton(re *syntax.Regexp) *automaton {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > 1<<8 {
		return nil
	}
	b := automatonBuilder{prog: prog, numbers: map[string]uint8{}}
	for _, inst := range prog.Inst {
		if asked := syntax.EmptyOp(inst.Arg); inst.Op == syntax.InstEmptyWidth && asked != syntax.EmptyBeginText && asked != syntax.EmptyEndText {
			return nil
		}
	}
	b.classify()
	b.state(b.follow(nil, prog.Start, syntax.EmptyBeginText), syntax.EmptyBeginText)
	for i := 0; i < len(b.states); i++ {
		next := make([]uint8, len(b.examples))
		for class, r := range b.examples {
			var set []byte
			for _, pc := range []byte(b.sets[i]) {
				if inst := &prog.Inst[pc]; isRune(inst) && inst.MatchRune(r) {
					set = b.follow(set, int(inst.Out), 0)
				}
			}
			set = b.follow(set, prog.Start, 0) // a match may begin anywhere
			if next[class] = b.state(set, 0); len(b.states) > mostStates {
				return nil
			}
		}
		b.states[i].next = next
	}
	return &b.automaton
}

type automatonBuilder struct {
	automaton
	prog     *syntax.Prog
	examples []rune           // of each class
	sets     []string         // of each state: the instructions that it waits at
	numbers  map[string]uint8 // of the states
}

func isRune(inst *syntax.Inst) bool {
	return inst.Op == syntax.InstRune || inst.Op == syntax.InstRune1 || inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL
}

// classify finds the characters that every instruction takes alike.
func (b *automatonBuilder) classify() {
	classes := map[string]uint8{}
	for r := range rune(utf8.RuneSelf) {
		var takes []byte
		for pc := range b.prog.Inst {
			if inst := &b.prog.Inst[pc]; isRune(inst) && inst.MatchRune(r) {
				takes = append(takes, byte(pc))
			}
		}
		class, known := classes[string(takes)]
		if !known {
			class = uint8(len(classes))
			classes[string(takes)] = class
			b.examples = append(b.examples, r)
		}
		b.class[r] = class
	}
}

// follow adds to a set, which is sorted, where an instruction leads without a character.
func (b *automatonBuilder) follow(set []byte, pc int, where syntax.EmptyOp) []byte {
	inst := &b.prog.Inst[pc]
	i, known := slices.BinarySearch(set, byte(pc))
	if known || inst.Op == syntax.InstFail {
		return set
	}
	set = slices.Insert(set, i, byte(pc))
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return b.follow(b.follow(set, int(inst.Out), where), int(inst.Arg), where)
	case syntax.InstCapture, syntax.InstNop:
		return b.follow(set, int(inst.Out), where)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&where != 0 {
			return b.follow(set, int(inst.Out), where)
		}
	}
	return set
}

// state is the number of the state that waits at a set of instructions.
func (b *automatonBuilder) state(set []byte, where syntax.EmptyOp) uint8 {
	key := string(append(set, byte(where)))
	if number, known := b.numbers[key]; known {
		return number
	}
	var end []byte // what it waits at where the text ends
	waits := false
	for _, pc := range set {
		inst := &b.prog.Inst[pc]
		waits = waits || isRune(inst) || inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg) == syntax.EmptyEndText
		end = b.follow(end, int(pc), where|syntax.EmptyEndText)
	}
	number := uint8(len(b.states))
	b.numbers[key], b.sets = number, append(b.sets, string(set))
	b.states = append(b.states, automatonState{decided: b.isMatch(set) || !waits, matches: b.isMatch(end)})
	return number
}

func (b *automatonBuilder) isMatch(set []byte) bool {
	return slices.ContainsFunc(set, func(pc byte) bool { return b.prog.Inst[pc].Op == syntax.InstMatch })
}
