package cli

import "os"

// A checkedOutput is standard output that remembers its first error: a command that
// prints to a full disk must not end as if all were well.
type checkedOutput struct {
	*os.File
	err error
}

// Write writes and remembers.
func (c *checkedOutput) Write(data []byte) (int, error) {
	n, err := c.File.Write(data)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// WriteString is Write for texts.
func (c *checkedOutput) WriteString(text string) (int, error) { return c.Write([]byte(text)) }
