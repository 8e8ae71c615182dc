package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"einvoice/engine/shipped"
	"einvoice/engine/words"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/inputfile"

	"github.com/spf13/cobra"
)

// saidBy is an error in the language that the command was asked to speak (--language), in
// English where it has no such flag, or the language does not have the sentence. What the system
// says of a file is said in words.
func saidBy(cmd *cobra.Command, err error) string {
	said := err.Error()
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		said = strings.ReplaceAll(said, of.Error(), inputfile.Plainly(of.Path, of).Error())
	}
	language := spoken(cmd)
	if language == nil {
		return said
	}
	translated := false
	for _, of := range problemsIn(err) {
		if before, after, found := strings.Cut(said, of.Error()); found {
			where, _, _ := strings.Cut(of.Error(), of.Message+" [")
			spoken := fmt.Sprintf("%s [%s]", sayParts(language, where+of.Message), of.Code)
			if of.Remedy != "" {
				spoken += language.Say("; ") + sayParts(language, of.Remedy) // French has a blank before it
			}
			said, translated = sayParts(language, before)+spoken+after, true
		}
	}
	if translated {
		return said
	}
	return sayParts(language, said)
}

// problemsIn are the problems that an error tells of: several where several options are wrong.
func problemsIn(err error) []*problem.Error {
	if of, ok := errors.AsType[*problem.WrongOptions](err); ok {
		return of.Wrong
	}
	if of, ok := errors.AsType[*problem.Error](err); ok {
		return []*problem.Error{of}
	}
	return nil
}

// A languageValue is a flag that takes a language which the program speaks.
type languageValue string

// Set finds the language.
func (l *languageValue) Set(tag string) error {
	library, err := shipped.Library()
	if err == nil {
		_, err = library.Language(tag)
	}
	*l = languageValue(tag)
	return err
}

// String is the tag of the language.
func (l *languageValue) String() string { return string(*l) }

// Type is what a language is called in help texts.
func (l *languageValue) Type() string { return "string" }

// speaking adds --language to every command that tells what is wrong, where it has no such flag of
// its own. The server and the language server hear from each request in which language to answer.
func speaking(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		speaking(c)
	}
	if !cmd.Runnable() || cmd.Hidden || cmd.Name() == "serve" || cmd.Name() == "lsp" || cmd.Flags().Lookup("language") != nil {
		return
	}
	cmd.Flags().Var(new(languageValue), "language", "language in which mistakes are told, such as de (default en)")
	completeLanguages(cmd)
}

// hear sets the language of a command whose arguments were not read to their end, because of a
// mistake before --language.
func hear(cmd *cobra.Command, args []string) {
	flag := cmd.Flags().Lookup("language")
	if flag == nil || flag.Changed {
		return
	}
	for i, arg := range args {
		tag, found := strings.CutPrefix(arg, "--language=")
		if arg == "--language" && i+1 < len(args) {
			tag, found = args[i+1], true
		}
		if found {
			_ = flag.Value.Set(tag) // a language that is not there is English
			return
		}
	}
}

// spoken is the language that a command was asked to speak (--language); nil, which is English,
// where it has no such flag, or there are no words in the language.
func spoken(cmd *cobra.Command) *words.Language {
	flag := cmd.Flags().Lookup("language")
	if flag == nil {
		return nil
	}
	library, err := shipped.Library()
	if err != nil {
		return nil
	}
	language, err := library.Language(flag.Value.String())
	if err != nil {
		return nil
	}
	return language
}

// tell says a sentence on standard error, in the language that the command was asked to speak.
func tell(cmd *cobra.Command, format string, values ...any) {
	fmt.Fprintln(cmd.ErrOrStderr(), spoken(cmd).Say(fmt.Sprintf(format, values...)))
}

// sayParts says a sentence, or that behind the name of a file and a colon. Of several lines each is
// said by itself, where they are no sentence together.
func sayParts(language *words.Language, sentence string) string {
	line, rest, several := strings.Cut(sentence, "\n")
	for from := 0; ; {
		if said, found := language.Phrase(sentence[from:]); found {
			return sentence[:from] + said
		}
		next := strings.Index(line[from:], ": ")
		if next < 0 {
			break
		}
		from += next + len(": ")
	}
	if several { // such as the mistakes of a folder, or where an expression is wrong
		return sayParts(language, line) + "\n" + sayParts(language, rest)
	}
	return sentence
}

// inFile is an error about what is in a file, or made of it, with the file's name.
func inFile(name string, err error) error { return fmt.Errorf("%s: %w", quote.Name(name), err) }
