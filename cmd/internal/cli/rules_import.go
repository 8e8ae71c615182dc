package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"einvoice/engine"
	"einvoice/model/strictyaml"
	"einvoice/service/importer"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// An importFlags is what rules import is asked for.
type importFlags struct {
	ruleset, extends, layer, phase, root, to string
	functions                                []string
}

func newRulesImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Translate published Schematron, or the XSLT it was compiled to, into rules",
		Long: `Import reads each FILE with what it includes and writes its asserts as rules: contexts in
XPath, assertions in CEL. Several files are one ruleset; rules that they have in common get a
form for each syntax. What no rule can have yet is listed with its line and why, and ends in
status 1. Messages, texts and examples are left to you: rules check refuses the file until
they are written.`,
		Example: `  einvoice rules import --ruleset nlcius/1.0 si-ubl-2.0.sch
  einvoice rules import --ruleset acme/1 --extends en16931/1.3.16 --to my-rules ubl.xslt cii.xslt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return importRules(cmd, args, f) },
	}
	cmd.Flags().StringVar(&f.ruleset, "ruleset", "imported/1", "NAME/VERSION of the ruleset")
	cmd.Flags().StringVar(&f.extends, "extends", "", "ruleset that it builds upon; rules with its ids are left out")
	cmd.Flags().StringVar(&f.layer, "layer", "cius", "layer of its rules")
	cmd.Flags().StringVar(&f.phase, "phase", "", "only the patterns of this phase of a Schematron")
	cmd.Flags().StringArrayVar(&f.functions, "functions", nil, "`FILE` of YAML with functions of the artefact in CEL, prefix:name: '$1.luhn()'; once for all, or once for each FILE")
	cmd.Flags().StringVar(&f.root, "root", "", "folder in which the files that they include are (default that of each FILE)")
	cmd.Flags().StringVar(&f.to, "to", "", "folder to write rules and code lists into (default the rules on standard output)")
	return cmd
}

func importRules(cmd *cobra.Command, files []string, f importFlags) error {
	name, version, versioned := strings.Cut(f.ruleset, "/")
	if !versioned || name == "" || version == "" || strings.Contains(version, "/") {
		return fmt.Errorf("--ruleset %q is no NAME/VERSION", f.ruleset)
	}
	library, err := openLibrary("")
	if err != nil {
		return err
	}
	options := importer.Options{Phase: f.phase, Lists: name, Leave: func(string) bool { return false }}
	if f.extends != "" {
		base, err := library.Ruleset(f.extends)
		if err != nil {
			return err
		}
		ids := map[string]bool{}
		for _, r := range base.Rules {
			ids[r.ID] = true
		}
		options.Leave = func(id string) bool { return ids[id] }
	}
	if options.Structure, err = validate.Structure(); err != nil {
		return err
	}
	if options.CodeLists, err = codesOfLists(library); err != nil {
		return err
	}
	if n := len(f.functions); n > 1 && n != len(files) {
		return fmt.Errorf("--functions is given %d times for %d files: give it once for all, or once for each", n, len(files))
	}
	var rules []*importer.Rule
	var lists []importer.CodeList
	refused := 0
	for n, file := range files {
		if len(f.functions) > 0 {
			if options.Functions, err = functionsIn(f.functions[min(n, len(f.functions)-1)]); err != nil {
				return err
			}
		}
		root, inside := filepath.Dir(file), filepath.Base(file)
		if f.root != "" {
			root = f.root
			if inside, err = filepath.Rel(root, file); err != nil {
				return err
			}
		}
		t, err := importer.Import(os.DirFS(root), filepath.ToSlash(inside), options)
		if err != nil {
			return err
		}
		importer.Report(cmd.ErrOrStderr(), t)
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d asserts, %d translated, %d refused, %d never fire\n", file, t.Asserts, t.Asserts-len(t.Refused)-len(t.NeverFire), len(t.Refused), len(t.NeverFire))
		refused += len(t.Refused)
		rules, lists = append(rules, t.Rules...), append(lists, t.CodeLists...)
		for _, l := range t.CodeLists { // so that the next file asks the same
			options.CodeLists[l.Name] = l.Codes
		}
		options.Lists = fmt.Sprintf("%s-%s", name, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	}
	if err := writeImported(cmd.OutOrStdout(), f, importer.Header{Ruleset: name, Version: version, Layer: f.layer, Extends: f.extends}, rules, lists); err != nil {
		return err
	}
	if refused > 0 {
		return errInvalid
	}
	return nil
}

// functionsIn reads a file of functions.
func functionsIn(file string) (functions map[string]string, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = strictyaml.Decode(data, &functions)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return functions, nil
}

// codesOfLists are the codes of the built-in code lists.
func codesOfLists(library *engine.Library) (map[string][]string, error) {
	files, err := fs.Glob(builtIn, path.Join(engine.FolderOfCodeLists, "*.yaml"))
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for _, file := range files {
		l, err := library.CodeList(strings.TrimSuffix(path.Base(file), ".yaml"))
		if err != nil {
			return nil, err
		}
		all[l.Name] = l.Codes()
	}
	return all, nil
}

func writeImported(out io.Writer, f importFlags, h importer.Header, rules []*importer.Rule, lists []importer.CodeList) error {
	if f.to == "" {
		for _, l := range lists {
			fmt.Fprintf(out, "# code list %s: %s\n", l.Name, strings.Join(l.Codes, " "))
		}
		return importer.Write(out, h, rules)
	}
	write := func(name string, to func(io.Writer) error) error {
		file := filepath.Join(f.to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		w, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already, and is not overwritten", file)
		}
		if err != nil {
			return err
		}
		return errors.Join(to(w), w.Close())
	}
	if err := write(h.Ruleset+"/"+h.Version+"/imported.yaml", func(w io.Writer) error { return importer.Write(w, h, rules) }); err != nil {
		return err
	}
	for _, l := range lists {
		err := write("codelists/"+l.Name+".yaml", func(w io.Writer) error { return importer.WriteList(w, l, f.ruleset, h.Version) })
		if err != nil {
			return err
		}
	}
	return nil
}
