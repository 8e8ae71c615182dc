package guest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// MostRequest bounds one request, in bytes.
const MostRequest = 32 << 20

// Serve answers each line of the input, which is a request, by a line of the output, until the
// input ends or a line is too long. The error is one of reading or writing.
func (g *Guest) Serve(in io.Reader, out io.Writer) error {
	if in == nil || out == nil {
		return errors.New("there is nothing to read requests from, or to write answers to")
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MostRequest)
	for lines.Scan() {
		if _, err := out.Write(append(g.Call(lines.Bytes()), '\n')); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		_, err := out.Write(append(TooLong(), '\n'))
		return err
	}
	return lines.Err()
}

// TooLong returns the answer to a request beyond MostRequest.
func TooLong() []byte {
	return encoded("problem", &Problem{ErrorCode: "BODY-TOO-LARGE", Detail: fmt.Sprintf("The request is larger than %d bytes.", MostRequest)})
}
