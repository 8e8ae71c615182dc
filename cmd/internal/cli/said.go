package cli

import (
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"

	"github.com/spf13/cobra"
)

// saidBy is an error in the language that the command was asked to speak (--language), in
// English where it has no such flag, or the language does not have the sentence.
func saidBy(cmd *cobra.Command, err error) string {
	flag := cmd.Flags().Lookup("language")
	if flag == nil {
		return err.Error()
	}
	library, failed := engine.Open(builtIn)
	if failed != nil {
		return err.Error()
	}
	language, failed := library.Language(flag.Value.String())
	if failed != nil {
		return err.Error()
	}
	return sayParts(language, err.Error())
}

// sayParts says a sentence, or that behind the name of a file and a colon.
func sayParts(language *words.Language, sentence string) string {
	for from := 0; ; {
		if said, found := language.Phrase(sentence[from:]); found {
			return sentence[:from] + said
		}
		next := strings.Index(sentence[from:], ": ")
		if next < 0 {
			return sentence
		}
		from += next + len(": ")
	}
}
