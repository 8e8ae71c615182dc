package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"einvoice/formats/xmlparse"
	"einvoice/model/filename"
	"einvoice/server"
	"einvoice/service/kosit"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// kositOptions are the options of the validator of KoSIT, by its names for them.
type kositOptions struct {
	scenarios, repositories []string

	out             string
	html, print     bool
	memory          bool
	prefix, postfix string
	assertions      string
	language        string
	serializeInput  bool

	daemon      bool
	host        string
	port        int
	threads     int
	noInterface bool

	debug, debugLog bool
	level           string

	rulesets string
}

func newKosit() *cobra.Command {
	o := kositOptions{}
	cmd := &cobra.Command{
		Use:   "kosit [flags] [FILE...]",
		Short: "Replace the validator of KoSIT: its arguments, reports and HTTP",
		Long: `Kosit takes the arguments of KoSIT's validator and works as it does with the configuration for
XRechnung: it writes the report NAME-report.xml (VARL) of each file into the working folder or that of
-o, and a summary.

A scenarios.xml (-s) has to consist of the schemas and Schematron files of that
configuration, which are recognised by name and not read: the rules are built in. Its
custom levels take effect. Without -s the scenarios of the configuration are built in.
A FILE may be a folder, whose files ending in .xml are checked. Without a FILE the
document is read from standard input.

Exit status: the number of rejected documents, 253 for more; 254 (-2) when the configuration or the
inputs are wrong, 255 (-1) when the arguments are. docs/from-kosit.md lists the differences.`,
		Example: `  einvoice kosit -s scenarios.xml -r . -h invoice.xml
  einvoice kosit -o reports invoices/
  einvoice kosit -s scenarios.xml -D -H 127.0.0.1 -P 8080`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.Flags().Changed("help") { // who asks for help gets it, whatever is wrong behind it
			return cmd.Help()
		}
		return &statusError{exitArguments, plainFlagError(cmd, err)}
	})
	o.flags(cmd.Flags())
	rulesetsFlag(cmd, &o.rulesets)
	return cmd
}

func (o *kositOptions) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "html" { // another name there
			name = "extract-html"
		}
		return pflag.NormalizedName(name)
	})
	f.StringArrayVarP(&o.scenarios, "scenarios", "s", nil, "a `scenarios.xml`, or NAME=scenarios.xml; may be repeated; without it those of XRechnung that are built in")
	f.StringArrayVarP(&o.repositories, "repository", "r", nil, "the `folder` of a configuration, or NAME=folder; it has to exist, and nothing in it is read")
	f.StringVarP(&o.out, "output-directory", "o", ".", "`folder` for the reports, made if it is not there")
	f.BoolVarP(&o.html, "extract-html", "h", false, "write the page in each report into a file of its own, too (also --html)")
	f.StringVar(&o.prefix, "report-prefix", "", "begin the names of reports with this and a hyphen, and leave out -report at their end")
	f.StringVar(&o.postfix, "report-postfix", "", "end the names of reports with a hyphen and this, instead of -report")
	f.BoolVarP(&o.print, "print", "p", false, "print each report to standard output, too")
	f.BoolVarP(&o.memory, "memory-stats", "m", false, "print the memory in use after each document")
	f.StringVarP(&o.assertions, "check-assertions", "c", "", "assertions about reports, in a `file`; of their XPath 2.0, only XPath 1.0, exists() and ends-with() are evaluated")
	f.StringVar(&o.language, "language", "", "language of the messages in reports, such as de; the validator has no such option")
	f.BoolVar(&o.serializeInput, "serialize-report-input", false, "refused: there is no such intermediate document here")
	f.BoolVarP(&o.daemon, "daemon", "D", false, "serve checks over HTTP")
	f.StringVarP(&o.host, "host", "H", "localhost", "with -D: address to serve on")
	o.port, o.threads = 8080, -1
	f.VarP(&number{&o.port, 1}, "port", "P", "with -D: port to serve on")
	f.VarP(&number{&o.threads, 1}, "threads", "T", "with -D: documents that are checked at a time; by default the number of processors")
	f.BoolVarP(&o.noInterface, "disable-gui", "G", false, "with -D: do not answer GET with a page")
	f.BoolVarP(&o.debug, "debug", "d", false, "log everything to standard error, as -X")
	f.BoolVarP(&o.debugLog, "debug-logging", "X", false, "log everything to standard error: -l debug")
	f.StringVarP(&o.level, "log-level", "l", "OFF", "least level of the log on standard error: OFF, ERROR, WARN, INFO, DEBUG or TRACE")
	f.BoolP("help", "?", false, "print this text")
	usedOnlyWith(f, "files", "output-directory", "extract-html", "report-prefix", "report-postfix", "print", "memory-stats", "check-assertions")
	usedOnlyWith(f, "daemon", "host", "port", "threads", "disable-gui")
}

func (o *kositOptions) run(cmd *cobra.Command, files []string) error {
	log, err := o.logger(cmd)
	if err != nil {
		return &statusError{exitArguments, err}
	}
	if err := o.refused(); err != nil {
		return &statusError{exitArguments, err}
	}
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return &statusError{exitConfig, err}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "einvoice %s in place of the KoSIT validator\n", server.Version)
	configuration, err := o.configuration(cmd, library)
	if err != nil {
		return &statusError{exitConfig, err}
	}
	if o.language != "" {
		if configuration.Language, err = library.Language(o.language); err != nil {
			return &statusError{exitArguments, err}
		}
	}
	if o.daemon {
		tellUnused(cmd, "daemon", "with -D")
		if len(files) > 0 {
			fmt.Fprintln(cmd.ErrOrStderr(), "einvoice: with -D no files are checked; they are ignored")
		}
		return o.serve(cmd, configuration, log)
	}
	tellUnused(cmd, "files", "without -D")
	check := &kositRun{options: o, service: operation.New(library, operation.Config{}), configuration: configuration, log: log}
	if o.assertions != "" {
		data, err := readInput(o.assertions, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
		if err == nil {
			check.assertions, err = kosit.ReadAssertions(data)
		}
		if err != nil {
			return &statusError{exitConfig, fmt.Errorf("-c %s: %w", o.assertions, err)}
		}
	}
	return check.all(cmd, files)
}

// refused says which options cannot be done here.
func (o *kositOptions) refused() error {
	switch {
	case o.serializeInput:
		return errors.New("--serialize-report-input is not possible: there is no intermediate document from which a report is made; einvoice validate -o svrl has the findings as Schematron reports them")
	case o.port > 65535:
		return fmt.Errorf("-P takes a port from 1 to 65535, not %d", o.port)
	}
	return nil
}

// logger is the log on standard error.
func (o *kositOptions) logger(cmd *cobra.Command) (*slog.Logger, error) {
	known := map[string]slog.Level{"ERROR": slog.LevelError, "WARN": slog.LevelWarn, "INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug, "TRACE": slog.LevelDebug}
	name := strings.ToUpper(o.level)
	level, ok := known[name]
	switch {
	case o.debug || o.debugLog:
		level = slog.LevelDebug
	case name == "OFF":
		return slog.New(slog.DiscardHandler), nil
	case !ok:
		return nil, fmt.Errorf("-l takes OFF, ERROR, WARN, INFO, DEBUG or TRACE, not %q", o.level)
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level})), nil
}

// reportName is what the report of a document is called, without ".xml".
func (o *kositOptions) reportName(document string) string {
	name := document
	if strings.EqualFold(filepath.Ext(name), ".xml") {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if o.prefix != "" {
		name = o.prefix + "-" + name
	}
	switch {
	case o.postfix != "":
		name += "-" + o.postfix
	case o.prefix == "":
		name += "-report"
	}
	return name
}

// documentName is the name of a document without folders and its last ending.
func documentName(path string) string {
	base := filepath.Base(path)
	return filename.Safe(strings.TrimSuffix(base, filepath.Ext(base)))
}

// makeFolder makes the folder for reports.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("-o: the folder %s cannot be made: %w", dir, err)
	}
	return nil
}
