// Package cli is the command line of the programs einvoice and einvoiced.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"einvoice/model/nearest"
	"einvoice/model/quote"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitValid      = 0 // every document is valid
	exitInvalid    = 1 // some document violates a rule of level fatal; einvoice xpath or cel selects nothing
	exitUnreadable = 2 // something could not be read, or the command was used wrongly
)

// errInvalid ends the program with exitInvalid after its report was printed.
var errInvalid = errors.New("some documents are invalid")

// errReported ends the program with exitUnreadable when the report already said why.
var errReported = errors.New("some documents could not be read")

// Main runs a program, and returns its exit status.
func Main(m Machines) int {
	collectSeldom()
	return m.run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

func (m Machines) run(args []string, stdin *os.File, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // what does not stop, a second signal ends
	root := newRoot(m)
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &checkedOutput{File: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := find(root, args)
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
	}
	hear(cmd, args)
	if out.err != nil && !errors.Is(err, out.err) {
		err = errors.Join(err, fmt.Errorf("write to standard output: %w", out.err))
	}
	switch {
	case out.err != nil:
	case err == nil:
		return exitValid
	case errors.Is(err, errInvalid), errors.Is(err, errNothingSelected):
		return exitInvalid
	case errors.Is(err, errReported):
		return exitUnreadable
	}
	if own, ok := errors.AsType[*statusError](err); ok && out.err == nil {
		if own.err != nil {
			fmt.Fprintln(stderr, "einvoice:", quote.Visible(saidBy(cmd, own)))
		}
		return own.status
	}
	err = plainGroupError(err)
	fmt.Fprintln(stderr, "einvoice:", quote.Visible(saidBy(cmd, err)))
	if hint := usageOf(cmd, err); hint != "" {
		fmt.Fprintln(stderr, hint)
	}
	return exitUnreadable
}

// usageOf is how a command is called, for an error about its arguments or flags; "" for any
// other error.
func usageOf(cmd *cobra.Command, err error) string {
	flag, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	for _, begins := range []string{"unknown flag: ", "unknown shorthand flag: ", "accepts ", "requires at least "} {
		if !strings.HasPrefix(err.Error(), begins) {
			continue
		}
		usage := cmd.UseLine()
		if unknown {
			var names []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
			if near := nearest.Of(flag, names); near != "" {
				usage += "   (--" + near + "?)"
			}
		}
		return usage
	}
	return ""
}

func newRoot(m Machines) *cobra.Command {
	root := &cobra.Command{
		Use:   "einvoice",
		Short: "Validate European electronic invoices (EN 16931) against rules that are data",
		Long: `einvoice checks invoices in UBL and CII, as XML or inside a PDF, against EN 16931 and
its profiles (XRechnung, Peppol BIS, Factur-X and ZUGFeRD), and says for every fault
which rule, where, which business terms, and what to do. It makes such invoices of
JSON, converts them, shows them as pages, reads them off pages, and serves all of it
over HTTP. The rules are data that "einvoice rules" shows, tests and checks.

Exit status: 0 when all is valid, 1 when a document is invalid, 2 when something
could not be read or the command was used wrongly.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(plainFlagError)
	root.Example = `  einvoice validate invoice.xml                                # what is wrong with it
  einvoice create xrechnung invoice.json -o invoice.xml        # an invoice of JSON
  einvoice convert --to zugferd invoice.xml -o invoice.pdf     # a PDF with the XML attached
  einvoice extract json invoice.pdf                            # what is in a PDF
  einvoice rules show BR-CO-10                                 # what a rule says, and examples
  einvoice serve                                               # the same over HTTP`
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Check invoices:", []*cobra.Command{newValidate(), m.newBulk(), m.newWatch(), m.newAudit(), m.newArchive(), newCompare()}},
		{"Make and convert them:", []*cobra.Command{newCreate(), newConvert(), newEmbed(), newRender(), newLook()}},
		{"Read them:", []*cobra.Command{newExtract(), newParse()}},
		{"Over HTTP:", []*cobra.Command{m.newServe(), newKeys()}},
		{"In place of other programs:", []*cobra.Command{newKosit(), newMustang()}},
		{"Rules, terms and expressions:", []*cobra.Command{newRules(), newTerms(), newCEL(), newXPath(), newLSP(), newConformance()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(newListed(root)...)
	root.AddCommand(newWork(), newNotices())
	speaking(root)
	return root
}
