package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/engine/words"
	"einvoice/rulesets"
	"einvoice/service/inputfile"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// builtIn are the rulesets inside the program.
var builtIn fs.FS = rulesets.FS

// rulesetsFlag adds --rulesets to a command.
func rulesetsFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "rulesets", "", "folder of rulesets that replace or extend the built-in ones; several, comma-separated, are used together")
	_ = cmd.MarkFlagDirname("rulesets")
}

// messagesFlag adds --language to a command whose findings may be in other languages.
func messagesFlag(cmd *cobra.Command, language *string) {
	cmd.Flags().StringVar(language, "language", "", "language of the messages: a folder of languages/ in the rulesets (default en)")
	completeLanguages(cmd)
}

func completeLanguages(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("language", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		library, err := openLibrary()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return library.Languages(), cobra.ShellCompDirectiveNoFileComp
	})
}

// dayFlag adds --at to a command.
func dayFlag(cmd *cobra.Command, at *engine.Day, usage string) {
	cmd.Flags().Var((*dayValue)(at), "at", usage)
}

// A dayValue is a flag that takes a day.
type dayValue engine.Day

// Set reads a day.
func (d *dayValue) Set(text string) error {
	day, err := engine.ParseDay(text)
	*d = dayValue(day)
	return err
}

// String is the day as it was given.
func (d *dayValue) String() string { return string(*d) }

// Type is what a day is called in help texts.
func (d *dayValue) Type() string { return "date" }

// openLibraryIn opens a library and one of its languages; nil is English.
func openLibraryIn(tag string, dirs ...string) (*engine.Library, *words.Language, error) {
	library, err := openLibrary(dirs...)
	if err != nil {
		return nil, nil, err
	}
	language, err := library.Language(tag)
	return library, language, err
}

// openLibrary opens the built-in rulesets, with folders laid over them; an empty name is not a
// folder, and one with commas is several. Folders are together, in any order: an overlay of one
// may be over that of another. What a user edits is checked completely before it is used.
func openLibrary(dirs ...string) (*engine.Library, error) {
	dirs = foldersOf(dirs...)
	below, err := shipped.Library()
	if err != nil || len(dirs) == 0 {
		return below, err
	}
	edited, err := openFolders(dirs)
	if err != nil {
		return nil, err
	}
	l, err := engine.Open(engine.Layered(edited, below.FS()))
	if err != nil {
		return nil, err
	}
	if err := validate.CheckLibrary(l, false); err != nil {
		return nil, fmt.Errorf("the rulesets in %s do not load:\n%w", strings.Join(dirs, ", "), inFolders(dirs, err))
	}
	return l, nil
}

// foldersOf are the folders that arguments name, each one or several with commas between.
func foldersOf(arguments ...string) (dirs []string) {
	for _, argument := range arguments {
		if _, err := os.Stat(argument); argument == "" || err == nil {
			dirs = append(dirs, argument)
		} else {
			dirs = append(dirs, strings.Split(argument, ",")...)
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}

// openFolders joins folders of which none takes the place of what another says.
func openFolders(dirs []string) (joined fs.FS, err error) {
	for _, dir := range dirs {
		folder, err := openFolder(dir)
		if err != nil {
			return nil, err
		}
		if joined != nil {
			folder = engine.Layered(folder, joined)
		}
		joined = folder
	}
	return joined, sameInBoth(dirs)
}

// inFolders says of mistakes in which of several folders their files are.
func inFolders(dirs []string, err error) error {
	found, ok := errors.AsType[engine.LoadErrors](err)
	if !ok || len(dirs) < 2 {
		return err
	}
	found = slices.Clone(found)
	for i := range found {
		for _, dir := range dirs {
			file := filepath.Join(dir, filepath.FromSlash(found[i].File))
			if _, err := os.Stat(file); err == nil {
				found[i].File = file
				break
			}
		}
	}
	return found
}

func openFolder(dir string) (fs.FS, error) {
	if err := inputfile.Folder(dir); err != nil {
		return nil, fmt.Errorf("%w: name the folder of rulesets, with files of the form FAMILY/VERSION/NAME.yaml", err)
	}
	if err := engine.RuleFiles(dir, func(string, fs.FileInfo) error { return nil }); err != nil {
		return nil, fmt.Errorf("the rulesets in %s: %w", dir, err)
	}
	return os.DirFS(dir), nil
}

// withOverlays opens the rulesets of a folder, and finds the names of the overlays that
// arguments of --overlay choose: each a name, or a folder of which all are chosen.
func withOverlays(dir string, arguments []string) (library *engine.Library, names []string, err error) {
	dirs := foldersOf(dir)
	for _, argument := range arguments {
		info, err := os.Stat(argument)
		if err != nil || !info.IsDir() {
			names = append(names, argument)
			continue
		}
		found, err := engine.OverlaysIn(os.DirFS(argument))
		if err != nil {
			return nil, nil, err
		}
		if len(found) == 0 {
			return nil, nil, fmt.Errorf("%s has no overlays; they are files overlays/NAME.yaml in it", argument)
		}
		dirs, names = append(dirs, argument), append(names, found...)
	}
	library, err = openLibrary(dirs...)
	return library, names, err
}

// sameInBoth refuses folders of which a later one would take the place of what an earlier
// one says: an overlay, a version of a ruleset, a code list. Files that are the same are the
// same in both.
func sameInBoth(dirs []string) error {
	if len(dirs) < 2 {
		return nil
	}
	type written struct{ dir, digest string }
	parts := map[string]written{}
	for _, dir := range dirs {
		digests, err := partsOf(dir)
		if err != nil {
			return err
		}
		for _, part := range slices.Sorted(maps.Keys(digests)) {
			if before, both := parts[part]; both && before.digest != digests[part] {
				return fmt.Errorf("%s and %s both have %s, and it is not the same: one would take the place of the other; rename one of them", before.dir, dir, part)
			}
			parts[part] = written{dir, digests[part]}
		}
	}
	return nil
}

// partsOf are the digests of what a folder of rulesets has, by name: a version of a ruleset
// is one part, any other file is one.
func partsOf(dir string) (map[string]string, error) {
	fsys := os.DirFS(dir)
	sums := map[string]hash.Hash{}
	err := engine.RuleFiles(dir, func(name string, _ fs.FileInfo) error {
		part := name
		switch engine.KindOf(name) {
		case engine.FileIgnored:
			return nil
		case engine.FileOfRules:
			part = path.Dir(name)
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if sums[part] == nil {
			sums[part] = sha256.New()
		}
		fmt.Fprintf(sums[part], "%s %d\n", name, len(data))
		sums[part].Write(data)
		return nil
	})
	digests := map[string]string{}
	for part, sum := range sums {
		digests[part] = hex.EncodeToString(sum.Sum(nil))
	}
	return digests, err
}
