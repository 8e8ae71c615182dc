package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"einvoice/engine/words"
	"einvoice/model/numeral"

	"github.com/spf13/cobra"
)

// shared are the folders that every ruleset refers to.
var shared = []string{"codelists", "profiles", "examples"}

func newRulesExport() *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR RULESET...",
		Short: "Write built-in rulesets into a folder, to be edited there",
		Long: `Export writes the rule files of each RULESET (NAME or NAME/VERSION) with their texts in other
languages into DIR, and also "codelists", "profiles" or "examples" if they are named. It overwrites
nothing there. Use the folder with --rulesets DIR.`,
		Example: "  einvoice rules export my-rules en16931",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			library, err := openLibrary("")
			if err != nil {
				return err
			}
			for _, ref := range args[1:] {
				folder := ref
				if !isShared(ref) {
					s, err := library.Ruleset(ref)
					if err != nil {
						return err
					}
					folder = s.Name + "/" + s.Version
				}
				for _, part := range withTranslations(folder) {
					files, err := export(part, args[0])
					if err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", filepath.ToSlash(filepath.Join(args[0], part)), numeral.Count(files, "file"))
				}
			}
			return nil
		},
	}
}

// withTranslations are a folder and those with its texts in other languages.
func withTranslations(folder string) []string {
	all := []string{folder}
	for _, tag := range words.Tags(builtIn) {
		if translated := path.Join(words.Folder, tag, folder); isFolder(translated) {
			all = append(all, translated)
		}
	}
	return all
}

func isFolder(name string) bool {
	info, err := fs.Stat(builtIn, name)
	return err == nil && info.IsDir()
}

func isShared(name string) bool {
	for _, s := range shared {
		if s == name {
			return true
		}
	}
	return false
}

func export(folder, dir string) (files int, err error) {
	err = fs.WalkDir(builtIn, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(builtIn, name)
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already and was left as it is; choose another folder or remove it", target)
		}
		if err != nil {
			return err
		}
		files++
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	})
	return files, err
}
