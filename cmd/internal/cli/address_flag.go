package cli

import "einvoice/server"

// An address is a flag that is the address of a listener, host:port; "" for none.
type address string

func (a *address) Set(text string) error {
	if text != "" {
		if err := server.CheckAddress(text); err != nil {
			return err
		}
	}
	*a = address(text)
	return nil
}

func (a *address) String() string { return string(*a) }

// Type is what the help calls the value.
func (a *address) Type() string { return "string" }
