package cli

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/model/pattern"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainFlagError is the error of a flag in the program's words, where the library has those of Go.
func plainFlagError(_ *cobra.Command, err error) error {
	of, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	plain := plainValueError(of.GetFlag(), errors.Unwrap(of))
	if plain == errors.Unwrap(of) {
		return err
	}
	return fmt.Errorf("invalid argument %q for \"--%s\" flag: %w", of.GetValue(), of.GetFlag().Name, plain)
}

// plainValueError says what the value of a flag has to be. Flags of the program's own types say so themselves.
func plainValueError(flag *pflag.Flag, err error) error {
	switch flag.Value.Type() {
	case "bool":
		return errors.New("write true or false")
	case "stringSlice":
		return errors.New("write values with commas between them, without quotation marks")
	}
	return err
}

// exclusive is what the library says of flags that do not go together.
var exclusive = pattern.Later(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// oneOf is what the library says where one of several flags is needed.
var oneOf = pattern.Later(`^at least one of the flags in the group \[(.*)\] is required$`)

// plainGroupError is the error of flags that do not go together, or of which one is needed, in place of
// that of the library.
func plainGroupError(err error) error {
	if m := exclusive().FindStringSubmatch(err.Error()); m != nil {
		first, others, _ := strings.Cut(m[1], " ")
		return fmt.Errorf("--%s and --%s do not go together; give one of them", first, strings.ReplaceAll(others, " ", ", --"))
	}
	if m := oneOf().FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("one of these flags is needed: --%s", strings.ReplaceAll(m[1], " ", ", --"))
	}
	return err
}
