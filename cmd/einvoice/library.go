package main

import (
	"fmt"
	"io/fs"
	"os"

	"einvoice/engine"
	"einvoice/rulesets"

	"github.com/spf13/cobra"
)

// builtIn are the rulesets inside the program.
var builtIn fs.FS = rulesets.FS

// rulesetsFlag adds --rulesets to a command.
func rulesetsFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "rulesets", "", "folder of rulesets that replace or extend the built-in ones")
	_ = cmd.MarkFlagDirname("rulesets")
}

// messagesFlag adds --language to a command whose findings may be in other languages.
func messagesFlag(cmd *cobra.Command, language *string) {
	cmd.Flags().StringVar(language, "language", "", "language of the messages: a folder of languages/ in the rulesets (default en)")
	_ = cmd.RegisterFlagCompletionFunc("language", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		library, err := openLibrary("")
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return library.Languages(), cobra.ShellCompDirectiveNoFileComp
	})
}

// openLibrary opens the built-in rulesets, with a folder laid over them if one
// is given. What a user edits is checked completely before it is used.
func openLibrary(dir string) (*engine.Library, error) {
	if dir == "" {
		return engine.Open(builtIn)
	}
	edited, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	l, err := engine.Open(engine.Layered(edited, builtIn))
	if err != nil {
		return nil, err
	}
	if err := l.Check(false); err != nil {
		return nil, fmt.Errorf("the rulesets in %s do not load:\n%w", dir, err)
	}
	return l, nil
}

func openFolder(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; --rulesets takes a folder of the form <family>/<version>/*.yaml", dir)
	}
	if err := engine.RuleFiles(dir, func(string, fs.FileInfo) error { return nil }); err != nil {
		return nil, fmt.Errorf("the rulesets in %s: %w", dir, err)
	}
	return os.DirFS(dir), nil
}
