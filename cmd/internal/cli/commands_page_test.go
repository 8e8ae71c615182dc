package cli

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsPage is the page of the documentation about all commands.
const commandsPage = "../../../docs/commands.md"

// processors is a number that no default is.
const processors = 211

// The page about commands is what the program's own help says; -update writes it.
func TestCommandsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Commands

This page is for people who use the program in a shell or a script. ` + "`make commands`" + ` makes it from the program's own help (` + "`einvoice help COMMAND`" + `). Exit statuses: [in CI](ci.md).

`)
	// Some defaults are the number of processors.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	root := newRoot(Machines{})
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "**%s** ", group.Title)
		for _, c := range root.Commands() {
			if c.GroupID == group.ID {
				fmt.Fprintf(&b, "[%s](#%s) ", c.Name(), anchor(c))
			}
		}
		b.WriteString("\n\n")
	}
	for _, group := range root.Groups() {
		for _, c := range root.Commands() {
			if c.GroupID == group.ID {
				describe(&b, c)
			}
		}
	}
	page := strings.TrimRight(b.String(), "\n") + "\n"
	if *update {
		if err := os.WriteFile(commandsPage, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(commandsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Error("docs/commands.md is not what the program's help says: run make commands")
	}
}

// TestExamples reads the examples of all commands as the shell and the program do: each names a
// command with flags that it has, and as many arguments as it takes. TestDocsBlocks runs those that
// the other pages have.
func TestExamples(t *testing.T) {
	root, seen := newRoot(Machines{}), 0
	word := regexp.MustCompile(`'([^']*)'|"([^"]*)"|([^\s'"]+)`)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example != "" && !strings.Contains(c.Example, strings.TrimPrefix(c.CommandPath(), root.Name())) {
			t.Errorf("%s: its examples are of other commands:\n%s", c.CommandPath(), c.Example)
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			var words []string
			for _, m := range word.FindAllStringSubmatch(line, -1) {
				words = append(words, m[1]+m[2]+m[3])
			}
			for len(words) > 0 && strings.HasPrefix(words[0], "EINVOICE_") {
				words = words[1:]
			}
			if i := slices.IndexFunc(words, func(w string) bool { return w == ">" || w == "<" || w == "|" || w == "#" }); i >= 0 {
				words = words[:i]
			}
			if len(words) == 0 {
				continue
			}
			seen++
			if words[0] != "einvoice" && words[0] != "einvoiced" {
				t.Errorf("%s: %q is not of this program", c.CommandPath(), line)
				continue
			}
			of, rest, err := newRoot(Machines{}).Find(words[1:])
			if err == nil && !of.DisableFlagParsing {
				if err = of.ParseFlags(rest); err == nil {
					err = of.ValidateArgs(of.Flags().Args())
				}
			}
			if err != nil {
				t.Errorf("%s: %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	if walk(root); seen < 100 {
		t.Errorf("only %d examples were found", seen)
	}
}

// anchor is the place of a command on the page.
func anchor(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// describe writes a command and those below it.
func describe(b *strings.Builder, c *cobra.Command) {
	if c.Hidden {
		return
	}
	level := strings.Count(c.CommandPath(), " ") + 1
	fmt.Fprintf(b, "%s %s\n\n", strings.Repeat("#", level), c.CommandPath())
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	fmt.Fprintf(b, "%s\n\n", paragraphs(long))
	if c.Runnable() {
		fmt.Fprintf(b, "```text\n%s\n```\n\n", c.UseLine())
	}
	if c.Example != "" {
		fmt.Fprintf(b, "```sh\n%s\n```\n\n", unindented(c.Example))
	}
	if rows := flagRows(c.NonInheritedFlags()); rows != "" {
		fmt.Fprintf(b, "| flag | meaning |\n| --- | --- |\n%s\n", rows)
	}
	for _, below := range c.Commands() {
		if below.Name() != "help" {
			describe(b, below)
		}
	}
}

// paragraphs are those of a help text, a line each. Lines that begin with blanks stay.
func paragraphs(text string) string {
	var out []string
	for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") {
			out = append(out, "```text\n"+strings.TrimRight(p, "\n")+"\n```")
			continue
		}
		out = append(out, inMarkdown(strings.ReplaceAll(p, "\n", " ")))
	}
	return strings.Join(out, "\n\n")
}

// inMarkdown escapes what Markdown would take for its own.
func inMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", "\\*", "_", "\\_", "|", "\\|").Replace(text)
}

func unindented(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}

// flagRows are the rows of a table of flags.
func flagRows(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, meaning := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && !strings.Contains(meaning, "default") {
			value := f.DefValue
			if value == strconv.Itoa(processors) {
				value = "the number of processors"
			}
			meaning += fmt.Sprintf(" (default %s)", value)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, inMarkdown(meaning))
	})
	return b.String()
}
