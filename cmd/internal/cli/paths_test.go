package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"einvoice/model/sampled"
)

// ofTheSystem is how Go and the system say what is wrong with a path.
var ofTheSystem = regexp.MustCompile(`\b(open|stat|lstat|read|mkdir|create|openat|statat|readlink)\w* [^:\n]*: |no such file|is a directory|not a directory|\bEOF\b`)

// Each command gets each kind of wrong path, for each of its files and folders, and for each flag
// that names one: it ends with an error in words, not with what the system says.
func TestWrongPathsAreSaidInWords(t *testing.T) {
	sample, err := filepath.Abs("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file.txt", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	// These wait for others, or are about the program's own sources.
	waiting := []string{"einvoice serve", "einvoice watch", "einvoice lsp", "einvoice bulk worker", "einvoice rules mutate", "einvoice rules test", "einvoice mustang"}
	path := regexp.MustCompile(`\b(FILE|DIR|FOLDER|PATH|TARGET|ARCHIVE|SOURCE|PDF|XML)\b`)
	named := regexp.MustCompile(`\b(files?|folders?|key)\b`)
	calls, tried := 0, 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			walk(below)
		}
		if !c.Runnable() || c.HasSubCommands() || slices.Contains(waiting, c.CommandPath()) || strings.Contains(c.CommandPath(), "completion") {
			return
		}
		words := strings.Fields(c.CommandPath())[1:]
		var positional []string
		for _, word := range strings.Fields(strings.ReplaceAll(c.Use, "[flags]", ""))[1:] {
			switch {
			case strings.HasPrefix(word, "--") || word == "|":
			default:
				positional = append(positional, word)
			}
		}
		call := func(wrong string, flags ...string) {
			args := slices.Clone(words)
			for _, word := range positional {
				switch {
				case path.MatchString(word) && len(flags) > 0:
					args = append(args, sample)
				case path.MatchString(word):
					args = append(args, wrong)
				case word == "FORMAT":
					args = append(args, "cii")
				case !strings.HasPrefix(word, "["):
					args = append(args, "en16931")
				}
			}
			for _, name := range []string{"to", "in", "out", "keys"} {
				if f := c.Flags().Lookup(name); f != nil && f.DefValue == "" && !slices.Contains(flags, "--"+name) {
					args = append(args, "--"+name, map[string]string{"to": "cii", "in": wrong, "out": "out-" + c.Name(), "keys": wrong}[name])
				}
			}
			if calls++; !sampled.Takes(calls, 4) {
				return
			}
			tried++
			said := saidOnError(t, append(args, flags...)...)
			if raw := ofTheSystem.FindString(said); raw != "" {
				t.Errorf("%v: %q in %s", append(args, flags...), raw, said)
			}
		}
		for _, wrong := range []string{"missing/file", "file.txt/below", "empty.txt"} {
			call(wrong)
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if f.Value.Type() != "bool" && named.MatchString(f.Usage) {
					call(wrong, "--"+f.Name, wrong)
				}
			})
		}
	}
	walk(newRoot(Machines{}))
	if t.Log(tried); tried < sampled.Of(150, 4) {
		t.Errorf("only %d calls", tried)
	}
}
