package expr

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A pattern is a regular expression with what is quickly seen of a text. Most texts that
// rules look into have nothing of what a pattern needs.
type pattern struct {
	*regexp.Regexp
	needs  string     // a text that is in every match; "" if none is known
	within *[128]bool // the characters of which one is a match; nil for every other pattern

	weight int // how much dearer a text is than for usual patterns
	parsed *syntax.Regexp
	asked  atomic.Int32
	once   sync.Once
	table  *automaton // nil before once, and where there is none
}

// tableAfter is after how many texts the automaton of a pattern is made.
const tableAfter = 64

// matches is MatchString.
func (p *pattern) matches(s string) bool {
	if p.absent(s) {
		return false
	}
	if p.asked.Load() < tableAfter {
		p.asked.Add(1)
		return p.MatchString(s)
	}
	p.once.Do(func() { p.table = newAutomaton(p.parsed) })
	if p.table != nil {
		if matches, known := p.table.match(s); known {
			return matches
		}
	}
	return p.MatchString(s)
}

// A few characters, such as x{1000}, come to thousands of instructions, which take memory and are
// looked at for each character of a text.
const (
	mostInstructions    = 20_000
	usualInstructions   = 1000 // up to which a pattern costs what every one does
	bytesPerInstruction = 1000 // with what comparing rules keeps of it
)

// regularExpression compiles an argument, which must be a literal: a pattern that
// comes out of an invoice would be an attack.
func (env *Environment) regularExpression(arg compiled) (*pattern, error) {
	text, err := literalText(arg, "regular expression")
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("the regular expression has a mistake: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	size := instructions(parsed)
	if size > mostInstructions {
		return nil, fmt.Errorf("the regular expression is too large: with its repetitions written out it has more than %d parts; repeat less often, or ask for the size of the text", mostInstructions)
	}
	if size > usualInstructions {
		if err := env.options.Pay(size * bytesPerInstruction); err != nil {
			return nil, err
		}
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err // it is parsed already
	}
	return &pattern{Regexp: re, needs: neededBy(parsed), within: classOf(parsed), weight: 1 + size/usualInstructions, parsed: parsed}, nil
}

// instructions is about how many a pattern comes to: as many as it has parts, once its repetitions
// are written out. It is told before that is done.
func instructions(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	if re.Op == syntax.OpCharClass {
		n = 1
	}
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min+1, re.Max)
	}
	return min(n, math.MaxInt32)
}

// absent reports that nothing in a text matches, if that is quickly seen.
func (p *pattern) absent(s string) bool {
	if p.within == nil {
		return p.needs != "" && !strings.Contains(s, p.needs)
	}
	for i := range len(s) {
		if s[i] < utf8.RuneSelf && p.within[s[i]] {
			return false
		}
	}
	return true
}

// neededBy is the longest text that is known to be in every match.
func neededBy(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return neededBy(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return neededBy(re.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if text := neededBy(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}

// classOf is the class that a pattern is, such as \s, if it has ASCII characters alone.
func classOf(re *syntax.Regexp) *[128]bool {
	if re.Op != syntax.OpCharClass {
		return nil
	}
	var class [128]bool
	for i := 0; i < len(re.Rune); i += 2 {
		if re.Rune[i+1] >= utf8.RuneSelf {
			return nil
		}
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			class[r] = true
		}
	}
	return &class
}

func compileMatches(env *Environment, args []compiled) (compiled, error) {
	re, err := env.regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text := args[0].text
	return asBool(func(act *Activation) (bool, bool) {
		s, ok := text(act)
		if !ok {
			return false, false
		}
		if len(s) < longText {
			if !act.pay(written * re.weight * len(s)) {
				return false, false
			}
			return re.matches(s), true
		}
		return re.MatchReader(&runes{act: act, left: s, price: re.weight}), true
	}), nil
}

// longText is how many bytes a regular expression looks at without a look at the
// budget.
const longText = 1 << 14

// runes reads a long text for a regular expression, some steps for each character,
// and ends when the budget stops it.
type runes struct {
	act   *Activation
	left  string
	price int // of a character
}

// ReadRune is that of io.RuneReader.
func (r *runes) ReadRune() (c rune, size int, err error) {
	if r.left == "" || !r.act.spend(r.price) {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.left)
	r.left = r.left[size:]
	return c, size, nil
}

func compileReplaceMatches(env *Environment, args []compiled) (compiled, error) {
	re, err := env.regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text, with := args[0].text, args[2].text
	return asText(func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok {
			return "", false
		}
		template, ok := with(act)
		if !ok || !act.pay(rewritten*re.weight*len(s)) {
			return "", false
		}
		return act.replaceMatches(re, s, template)
	}), nil
}

// replaceMatches is regexp.ReplaceAllString, but pays for the text that it makes,
// which a short template can make very long.
func (act *Activation) replaceMatches(re *pattern, s, template string) (string, bool) {
	if re.absent(s) {
		return s, true
	}
	var out []byte
	last := 0
	template = re.inBraces(template)
	for _, match := range re.FindAllStringSubmatchIndex(s, -1) {
		before := len(out)
		out = append(out, s[last:match[0]]...)
		out = re.ExpandString(out, template, s, match)
		if !act.pay(written * (len(out) - before)) {
			return "", false
		}
		last = match[1]
	}
	return string(append(out, s[last:]...)), true
}

// inBraces is a template in which the numbers of groups end where they do in XPath: $1x is the
// first group and an x, and $12 the twelfth, or the first and a 2 where there are fewer. Package
// regexp reads letters and digits behind a $ as one name.
func (p *pattern) inBraces(template string) string {
	if !strings.Contains(template, "$") {
		return template
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(template, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		end := 0
		for end < min(len(after), mostDigits) && '0' <= after[end] && after[end] <= '9' {
			end++
		}
		for end > 1 {
			if n, err := strconv.Atoi(after[:end]); err == nil && n <= p.NumSubexp() {
				break
			}
			end--
		}
		switch {
		case end > 0:
			out.WriteString("${" + after[:end] + "}")
		case strings.HasPrefix(after, "$"): // one that is meant as such
			out.WriteString("$$")
			end = 1
		default:
			out.WriteString("$")
		}
		template = after[end:]
	}
}

// mostDigits are those of the largest number of a group: an expression has at most 1,000 parts.
const mostDigits = 4

func compileSplitMatches(env *Environment, args []compiled) (compiled, error) {
	re, err := env.regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	text := args[0].text
	return asList(func(act *Activation) (list, bool) {
		s, ok := text(act)
		if !ok || !act.pay(rewritten*re.weight*len(s)) {
			return list{}, false
		}
		if re.absent(s) {
			return list{items: &items{texts: []string{s}}}, true
		}
		return list{items: &items{texts: re.Split(s, -1)}}, true
	}), nil
}
