package growth

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// A table has what was measured.
type table struct {
	rows  []*growth
	pairs int // that there are
}

// The ends of the table in its page; what is outside is written by people.
const (
	tableBegin = "<!-- make growth writes what follows -->\n"
	tableEnd   = "<!-- end of what make growth writes -->\n"
)

// write puts the table into its page.
func (t *table) write(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(data), tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the table: %q and %q are its ends", path, tableBegin, tableEnd)
	}
	return os.WriteFile(path, []byte(before+tableBegin+t.String()+tableEnd+after), 0o600)
}

// mostRows is how many pairs are listed.
const mostRows = 20

// String is the table in Markdown: the pairs whose cost grows fastest, the worst first, then what
// there is of each operation, and what is accepted.
func (t *table) String() string {
	var b strings.Builder
	screened := 0
	for _, g := range t.rows {
		if g.screened {
			screened++
		}
	}
	fmt.Fprintf(&b, "%d of %d pairs of operation and size were measured, %d of them by the screen alone.\n\nThe %d whose cost grows fastest:\n\n", len(t.rows), t.pairs, screened, min(mostRows, len(t.rows)))
	b.WriteString("| operation | size | exponent | of memory | n | KB | CPU ms | s/MB |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	slices.SortStableFunc(t.rows, func(a, b *growth) int {
		return cmp.Or(cmp.Compare(b.exponent(), a.exponent()), cmp.Compare(b.last().cpu, a.last().cpu))
	})
	for _, g := range t.rows[:min(mostRows, len(t.rows))] {
		p := g.last()
		fmt.Fprintf(&b, "| %s | %s | %.2f | %s | %d | %d | %d | %.1f |\n", g.operation, g.recipe, g.exponent(), orNothing(g.memoryExponent()), p.n, p.bytes/1000, p.cpu.Milliseconds(), g.perMB())
	}
	b.WriteString("\nEach operation, with the number of exponents that could be measured, their median and the largest:\n\n| operation | pairs | refused | measured | median | largest | largest s/MB |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	groups := map[string][]*growth{}
	for _, g := range t.rows {
		groups[g.operation] = append(groups[g.operation], g)
	}
	for _, operation := range slices.Sorted(maps.Keys(groups)) {
		b.WriteString(summary(operation, groups[operation]))
	}
	b.WriteString("\nFindings that are accepted:\n\n| operation | n of | n | KB | CPU s | exponent | of memory | s/MB | why |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, g := range t.rows {
		if g.reason != "" {
			b.WriteString(g.String() + " " + g.reason + " |\n")
		}
	}
	return b.String()
}

// orNothing is a number, or nothing for 0, which is what could not be told.
func orNothing(n float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", n)
}

// summary is the row of an operation.
func summary(operation string, all []*growth) string {
	refused := 0
	var exponents []float64
	var perMB float64
	for _, g := range all {
		if g.isRefused() {
			refused++
		}
		if e := g.exponent(); e != 0 {
			exponents = append(exponents, e)
		}
		if g.last().cpu > reliable {
			perMB = max(perMB, g.perMB())
		}
	}
	if len(exponents) == 0 {
		return fmt.Sprintf("| %s | %d | %d | 0 | | | |\n", operation, len(all), refused)
	}
	slices.Sort(exponents)
	return fmt.Sprintf("| %s | %d | %d | %d | %.2f | %.2f | %s |\n", operation, len(all), refused, len(exponents), exponents[len(exponents)/2], exponents[len(exponents)-1], orNothing(perMB))
}
