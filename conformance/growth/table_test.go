package growth

import (
	"cmp"
	"fmt"
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

// String is the table in Markdown: for each operation and each kind of size the worst that was
// found.
func (t *table) String() string {
	type key struct{ operation, kind string }
	groups := map[key][]*growth{}
	for _, g := range t.rows {
		k := key{g.operation, cmp.Or(g.kind, g.recipe)}
		groups[k] = append(groups[k], g)
	}
	var keys []key
	for k := range groups {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.kind, b.kind))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d pairs of operation and size were measured.\n\n", len(t.rows), t.pairs)
	b.WriteString("| operation | size | pairs | refused | exponent of time: median | most | of memory: most | most s/MB | the largest of them |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, k := range keys {
		b.WriteString(summary(k.operation, k.kind, groups[k]))
	}
	b.WriteString("\nFindings that are accepted:\n\n| operation | n of | n | KB | CPU s | exponent | of memory | s/MB | why |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, g := range t.rows {
		if g.reason != "" {
			b.WriteString(g.String() + " " + g.reason + " |\n")
		}
	}
	return b.String()
}

// summary is the row of what was measured of one operation and kind of size.
func summary(operation, kind string, all []*growth) string {
	refused := 0
	var exponents []float64
	var perMB, memory float64
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
		memory = max(memory, g.memoryExponent())
	}
	slices.Sort(exponents)
	worst := slices.MaxFunc(all, func(a, b *growth) int {
		return cmp.Or(cmp.Compare(a.exponent(), b.exponent()), cmp.Compare(a.last().cpu, b.last().cpu))
	})
	median, most := "too small to tell", ""
	if len(exponents) > 0 {
		median, most = fmt.Sprintf("%.2f", exponents[len(exponents)/2]), fmt.Sprintf("%.2f", exponents[len(exponents)-1])
	}
	memoryMost := ""
	if memory > 0 {
		memoryMost = fmt.Sprintf("%.2f", memory)
	}
	last := worst.last()
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %s | %s | %.1f | %s: %d, %d KB, %.2f s |\n",
		operation, kind, len(all), refused, median, most, memoryMost, perMB, strings.TrimPrefix(worst.recipe, kind+" "), last.n, last.bytes/1000, last.cpu.Seconds())
}
