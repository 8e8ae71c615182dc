package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model/numeral"
	"einvoice/model/strictyaml"
	"einvoice/service/importer"
	"einvoice/service/inputfile"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// An importFlags is what rules import is asked for.
type importFlags struct {
	ruleset, extends, layer, phase, root, to string
	functions, against                       []string
	on, rulesets                             string
}

func newRulesImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Translate published Schematron, or the XSLT it was compiled to, into rules",
		Long: `Import reads each FILE with the files that it includes and writes its asserts as rules: contexts
in XPath, assertions in CEL. Several files become one ruleset; a rule that they share gets a variant for
each syntax. An assert that cannot become a rule is listed with its line and the reason, and leads to
status 1. You write the messages, texts and examples. Rules check refuses the file until messages and texts
are there, rules check --strict until examples are there too.

With --against, which names the release before (one FILE for each FILE, or a RULESET), it lists the rules
that are new, gone and changed: of files by the trees of their expressions, so that layout and prefixes do
not count; of a RULESET by their ids and levels. --on shows what each change does to a folder of invoices,
and --to writes a version that extends the one of --extends, with the new and changed rules. --rulesets
names the folder of a RULESET that is not built in.`,
		Example: `  einvoice rules import --ruleset nlcius/1.0 si-ubl-2.0.sch
  einvoice rules import --ruleset acme/1 --extends en16931/1.3.16 --to my-rules ubl.xslt cii.xslt
  einvoice rules import --against old.xslt --on invoices/ new.xslt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return importRules(cmd, args, f) },
	}
	cmd.Flags().StringVar(&f.ruleset, "ruleset", "imported/1", "NAME/VERSION of the ruleset")
	cmd.Flags().StringVar(&f.extends, "extends", "", "ruleset that it builds upon; rules with its ids are left out")
	cmd.Flags().StringVar(&f.layer, "layer", "cius", "layer of its rules: "+strings.Join(engine.LayerNames(), ", "))
	cmd.Flags().StringVar(&f.phase, "phase", "", "only the patterns of this phase of a Schematron, #ALL for all (default its defaultPhase, or all)")
	cmd.Flags().StringArrayVar(&f.functions, "functions", nil, "`FILE` of YAML with functions of the artefact in CEL, prefix:name: '$1.luhn()'; once for all, or once for each FILE")
	cmd.Flags().StringArrayVar(&f.against, "against", nil, "`FILE` of the release before, one for each FILE, or the RULESET that was made of it")
	cmd.Flags().StringVar(&f.on, "on", "", "with --against, folder of invoices to try the changes on")
	cmd.Flags().StringVar(&f.root, "root", "", "folder that holds each FILE and the files that it includes (default the folder of each FILE)")
	cmd.Flags().StringVar(&f.to, "to", "", "folder to write rules and code lists into (default the rules on standard output)")
	rulesetsFlag(cmd, &f.rulesets)
	return cmd
}

func importRules(cmd *cobra.Command, files []string, f importFlags) error {
	name, version, versioned := strings.Cut(f.ruleset, "/")
	if !versioned || name == "" || version == "" || strings.Contains(version, "/") {
		return fmt.Errorf("--ruleset %q is not NAME/VERSION", f.ruleset)
	}
	if names := engine.LayerNames(); !slices.Contains(names, f.layer) {
		return fmt.Errorf("unknown layer %q: use one of %s", f.layer, strings.Join(names, ", "))
	}
	library, err := openLibrary(f.rulesets)
	if err != nil {
		return err
	}
	if len(f.against) > 0 {
		return importAgainst(cmd, library, files, f)
	}
	if f.on != "" {
		return errors.New("--on shows what a new release changes: give the old one by --against")
	}
	ids := map[string]bool{}
	if f.extends != "" {
		base, err := library.Ruleset(f.extends)
		if err != nil {
			return err
		}
		for _, r := range base.Rules {
			ids[r.ID] = true
		}
	}
	t, err := translateFiles(cmd.ErrOrStderr(), library, files, f, func(id string) bool { return ids[id] })
	if err != nil {
		return err
	}
	if err := writeImported(cmd.OutOrStdout(), f, importer.Header{Ruleset: name, Version: version, Layer: f.layer, Extends: f.extends}, t); err != nil {
		return err
	}
	return t.err()
}

// A translatedFiles is what several files of an artefact became.
type translatedFiles struct {
	rules   []*importer.Rule
	lists   []importer.CodeList
	refused []importer.Refusal
}

func (t *translatedFiles) err() error {
	if len(t.refused) > 0 {
		return errInvalid
	}
	return nil
}

// translateFiles translates files, and says what of them it cannot.
func translateFiles(log io.Writer, library *engine.Library, files []string, f importFlags, leave func(id string) bool) (*translatedFiles, error) {
	name, _, _ := strings.Cut(f.ruleset, "/")
	options := importer.Options{Phase: f.phase, Lists: name, Leave: leave}
	var err error
	if options.Structure, err = validate.Structure(); err != nil {
		return nil, err
	}
	if options.CodeLists, err = codesOfLists(library); err != nil {
		return nil, err
	}
	if n := len(f.functions); n > 1 && n != len(files) {
		return nil, fmt.Errorf("--functions is given %d times for %s: give it once for all, or once for each", n, numeral.Count(len(files), "file"))
	}
	out := &translatedFiles{}
	for n, file := range files {
		if len(f.functions) > 0 {
			if options.Functions, err = functionsIn(f.functions[min(n, len(f.functions)-1)]); err != nil {
				return nil, err
			}
		}
		if err := inputfile.File(file); err != nil {
			return nil, err
		}
		root, inside, err := f.inside(file)
		if err != nil {
			return nil, err
		}
		t, err := importer.Import(root, inside, options)
		if err != nil {
			return nil, err
		}
		importer.Report(log, t)
		of := file
		if t.Phase != "" {
			of += ", phase " + t.Phase
		}
		fmt.Fprintf(log, "%s: %s, %d translated, %d refused, %d never fire\n", of, numeral.Count(t.Asserts, "assert"), t.Asserts-len(t.Refused)-len(t.NeverFire), len(t.Refused), len(t.NeverFire))
		out.refused = append(out.refused, t.Refused...)
		out.rules, out.lists = append(out.rules, t.Rules...), append(out.lists, t.CodeLists...)
		for _, l := range t.CodeLists { // so that the next file asks the same
			options.CodeLists[l.Name] = l.Codes
		}
		options.Lists = fmt.Sprintf("%s-%s", name, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	}
	joined, refused := importer.Joined(out.rules)
	importer.Report(log, &importer.Translation{Refused: refused})
	out.rules, out.refused = joined, append(out.refused, refused...)
	return out, nil
}

// inside is a file as its folder has it.
func (f *importFlags) inside(file string) (root fs.FS, inside string, err error) {
	dir, inside := filepath.Dir(file), filepath.Base(file)
	if f.root != "" {
		if dir, err = filepath.Abs(f.root); err != nil {
			return nil, "", err
		}
		whole, err := filepath.Abs(file) // as one may be given from the root of the disk and the other not
		if err != nil {
			return nil, "", err
		}
		if inside, err = filepath.Rel(dir, whole); err != nil {
			return nil, "", err
		}
		if !filepath.IsLocal(inside) {
			return nil, "", fmt.Errorf("%s is outside of the folder %s: give by --root a folder that holds it and the files that it includes", file, f.root)
		}
	}
	return os.DirFS(dir), filepath.ToSlash(inside), nil
}

// functionsIn reads a file of functions.
func functionsIn(file string) (functions map[string]string, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = strictyaml.Told(data, strictyaml.Decode(data, &functions))
	}
	if err != nil {
		return nil, inFile(file, err)
	}
	return functions, nil
}

// codesOfLists are the codes of the code lists that there are.
func codesOfLists(library *engine.Library) (map[string][]string, error) {
	files, err := fs.Glob(library.FS(), path.Join(engine.FolderOfCodeLists, "*.yaml"))
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

func writeImported(out io.Writer, f importFlags, h importer.Header, t *translatedFiles) error {
	rules, lists := t.rules, t.lists
	if f.to == "" {
		for _, l := range lists {
			fmt.Fprintf(out, "# code list %s: %s\n", l.Name, strings.Join(l.Codes, " "))
		}
		return importer.Write(out, h, rules)
	}
	writers := map[string]func(io.Writer) error{
		h.Ruleset + "/" + h.Version + "/imported.yaml": func(w io.Writer) error { return importer.Write(w, h, rules) },
	}
	for _, l := range lists {
		writers["codelists/"+l.Name+".yaml"] = func(w io.Writer) error { return importer.WriteList(w, l, f.ruleset, h.Version) }
	}
	return writeNew(f.to, writers)
}

// writeNew writes files into a folder: all of them, or none where one is there already.
func writeNew(folder string, writers map[string]func(io.Writer) error) error {
	file := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	names := slices.Sorted(maps.Keys(writers))
	for _, name := range names {
		if _, err := os.Lstat(file(name)); err == nil {
			return fmt.Errorf("%s is there already, and is not overwritten; nothing was written", file(name))
		}
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(file(name)), 0o755); err != nil {
			return err
		}
		w, err := os.OpenFile(file(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		if err := errors.Join(writers[name](w), w.Close()); err != nil {
			return err
		}
	}
	return nil
}
