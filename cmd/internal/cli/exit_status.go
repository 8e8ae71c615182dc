package cli

// Exit codes of commands that take the place of other programs.
const (
	// exitMostRejected is the highest number of rejected documents that a status tells:
	// a status has eight bits, so that 256 would be 0, and the two above are taken.
	exitMostRejected = 253
	exitConfig       = 254 // -2 of the validator of KoSIT: configuration or inputs
	exitArguments    = 255 // -1 of the validator of KoSIT: the command line
)

// A statusError ends the program with a status of its own. Without an error there is
// nothing more to say.
type statusError struct {
	status int
	err    error
}

// Error says what there is to say.
func (e *statusError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap is the error that is told.
func (e *statusError) Unwrap() error { return e.err }
