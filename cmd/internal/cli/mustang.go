package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/model/embedded"

	"github.com/spf13/cobra"
)

//go:embed mustang.yaml
var mustangYAML []byte

// mustangWords is mustang.yaml.
type mustangWords struct {
	Profiles map[string]string `yaml:"profiles"`
	Refused  map[string]string `yaml:"refused"`
}

var readMustangWords = sync.OnceValue(func() *mustangWords {
	w := &mustangWords{}
	if err := embedded.Decode("cmd/internal/cli/mustang.yaml", mustangYAML, w); err != nil {
		panic(fmt.Sprintf("mustang.yaml: %v", err))
	}
	return w
})

// mustangOptions are the options of Mustang's command line, by its names for them.
type mustangOptions struct {
	action                     string
	source, sourceXML, out     string
	format, version, profile   string
	attachments, exclude       []string
	noAttachments              bool
	directory, language        string
	noNotices, noArithmetic    bool
	logAppend                  string
	noFileLogging, logAsPDF    bool
	ignoreErrors, list         bool
	profileID, customizationID string
}

// mustangActions are the actions that are done here.
var mustangActions = map[string]func(*mustangOptions, *cobra.Command) error{
	"validate":              (*mustangOptions).validate,
	"validateExpectValid":   func(o *mustangOptions, cmd *cobra.Command) error { return o.expect(cmd, true) },
	"validateExpectInvalid": func(o *mustangOptions, cmd *cobra.Command) error { return o.expect(cmd, false) },
	"combine":               (*mustangOptions).combine,
	"extract":               (*mustangOptions).extract,
	"ubl":                   (*mustangOptions).ubl,
	"pdf":                   func(o *mustangOptions, cmd *cobra.Command) error { return o.pages(cmd, "pdf") },
	"visualize":             func(o *mustangOptions, cmd *cobra.Command) error { return o.pages(cmd, "html") },
	"license":               func(_ *mustangOptions, cmd *cobra.Command) error { return printNotices(cmd) },
}

func newMustang() *cobra.Command {
	o := mustangOptions{}
	known := slices.Sorted(maps.Keys(mustangActions))
	cmd := &cobra.Command{
		Use:   "mustang --action ACTION [flags]",
		Short: "Replace Mustang's command line",
		Long: `Mustang takes the arguments of Mustang-CLI for the actions that exist here, and reports
--action validate in its form. Nothing is asked on the terminal: what Mustang would ask
for has to be given. Files that exist are not overwritten.

Exit status, as there: 0 when it was done and all is valid, 255 (-1) when a document is invalid or
something failed, 2 when the arguments are wrong. docs/from-mustang.md lists the differences.`,
		Example: `  einvoice mustang --action validate --source invoice.pdf
  einvoice mustang --action combine --source letter.pdf --source-xml factur-x.xml --out invoice.pdf --no-additional-attachments
  einvoice mustang --action extract --source invoice.pdf --out factur-x.xml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return &statusError{exitUnreadable, err}
			}
			tellUnused(cmd, o.action, "with --action "+o.action)
			err := mustangActions[o.action](&o, cmd)
			if err == nil {
				return nil
			}
			if own, ok := errors.AsType[*statusError](err); ok {
				return own
			}
			return &statusError{exitArguments, err}
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &statusError{exitUnreadable, plainFlagError(cmd, err)}
	})
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.action, "action", "a", "", "what to do: "+strings.Join(known, ", "))
	f.StringVar(&o.source, "source", "", "for combine, extract, pdf, ubl, validate and visualize: `file` to read, a PDF, and for all but combine also XML")
	f.StringVar(&o.sourceXML, "source-xml", "", "for combine: `file` with the invoice in CII")
	f.StringVar(&o.out, "out", "", "for combine, extract, pdf, ubl and visualize: `file` to write; it must not exist")
	f.StringVarP(&o.format, "format", "f", "fx", "for combine: fx or zf, which make the same PDF")
	f.StringVar(&o.version, "version", "", "for combine: the version of ZUGFeRD, 2, or of Factur-X, 1")
	f.StringVar(&o.profile, "profile", "", "for combine: the profile that the XML has to declare ("+strings.Join(slices.Sorted(maps.Keys(readMustangWords().Profiles)), ", ")+")")
	f.StringSliceVar(&o.attachments, "attachments", nil, "for combine: refused; supporting documents belong into the XML (BT-125)")
	f.BoolVar(&o.noAttachments, "no-additional-attachments", false, "for combine: has no effect, as nothing is asked")
	f.StringVarP(&o.directory, "directory", "d", "", "for validateExpectValid and validateExpectInvalid: the `folder`")
	f.StringSliceVar(&o.exclude, "exclude", nil, "for validateExpectValid and validateExpectInvalid: names of files to leave out, comma-separated")
	f.StringVar(&o.language, "language", "en", "for pdf and visualize: the language of the words on the pages")
	f.BoolVar(&o.noNotices, "no-notices", false, "for validate: leave out what is information")
	f.BoolVar(&o.noArithmetic, "no-arithmetic-check", false, "for validate: has no effect; the rules check amounts, and nothing else does")
	f.StringVar(&o.logAppend, "logAppend", "", "for validate: text for the end of the line on standard error")
	f.BoolVar(&o.logAsPDF, "log-as-pdf", false, "for validate: refused; einvoice validate -o html has a report to print")
	f.BoolVar(&o.noFileLogging, "disable-file-logging", false, "has no effect: no log files are written")
	f.BoolVarP(&o.ignoreErrors, "ignorefileextension", "i", false, "for combine: refused; a PDF that cannot be made PDF/A-3 is never delivered")
	f.BoolVarP(&o.list, "listfromstdin", "l", false, "refused: it belongs to the action metrics")
	f.StringVar(&o.profileID, "profileID", "", "for ubl: refused; einvoice convert has the options for it")
	f.StringVar(&o.customizationID, "customizationID", "", "for ubl: refused, likewise")
	usedOnlyWith(f, "combine extract pdf ubl validate visualize", "source")
	usedOnlyWith(f, "combine extract pdf ubl visualize", "out")
	usedOnlyWith(f, "combine", "source-xml", "format", "version", "profile")
	usedOnlyWith(f, "validateExpectInvalid validateExpectValid", "directory", "exclude")
	usedOnlyWith(f, "pdf visualize", "language")
	usedOnlyWith(f, "validate", "no-notices", "logAppend")
	_ = cmd.RegisterFlagCompletionFunc("action", cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check refuses what is missing, what is not done here, and options that would have to be
// ignored although Mustang does something for them.
func (o *mustangOptions) check(cmd *cobra.Command) error {
	known := strings.Join(slices.Sorted(maps.Keys(mustangActions)), ", ")
	if instead, refused := readMustangWords().Refused[o.action]; refused {
		return fmt.Errorf("--action %s is not done here: %s", o.action, instead)
	}
	switch {
	case o.action == "":
		return fmt.Errorf("--action is missing; give one of %s", known)
	case mustangActions[o.action] == nil:
		return fmt.Errorf("the action %q is unknown; give one of %s", o.action, known)
	}
	for _, refused := range []struct{ flag, instead string }{
		{"attachments", "supporting documents of the invoice belong into the XML (BT-125); other files are not attached"},
		{"log-as-pdf", "print the page of einvoice validate -o html"},
		{"ignorefileextension", "a PDF that cannot be made PDF/A-3 is never delivered; its faults are told"},
		{"listfromstdin", "name a list of files as @LIST to einvoice validate"},
		{"profileID", "convert with einvoice convert --to ubl, which has options for it"},
		{"customizationID", "convert with einvoice convert --to ubl, which has options for it"},
	} {
		none := refused.flag == "attachments" && strings.Join(o.attachments, "") == "" // as scripts say that there are none
		if cmd.Flags().Changed(refused.flag) && !none {
			return fmt.Errorf("--%s is not possible: %s", refused.flag, refused.instead)
		}
	}
	return nil
}

// needs refuses an action that lacks an option.
func needs(action string, options map[string]string) error {
	var missing []string
	for name, value := range options {
		if value == "" {
			missing = append(missing, "--"+name)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		return &statusError{exitUnreadable, fmt.Errorf("--action %s needs %s", action, strings.Join(missing, " and "))}
	}
	return nil
}
