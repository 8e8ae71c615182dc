package guest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MostRequest bounds one request, in bytes.
const MostRequest = 32 << 20

// Serve answers each line of the input, which is a request, by a line of the output, until the
// input ends. A line that is too long is read to its end before it is answered, so that the next
// one is answered too. The error is one of reading or writing.
func (g *Guest) Serve(in io.Reader, out io.Writer) error {
	if in == nil || out == nil {
		return errors.New("there is nothing to read requests from, or to write answers to")
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		if len(line) <= MostRequest {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			answer := TooLong()
			if request := bytes.TrimRight(line, "\r\n"); len(request) <= MostRequest {
				answer = g.Call(request)
			}
			if _, err := out.Write(append(answer, '\n')); err != nil {
				return err
			}
			line = line[:0]
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// TooLong returns the answer to a request beyond MostRequest.
func TooLong() []byte {
	return encoded("problem", &Problem{ErrorCode: "BODY-TOO-LARGE", Detail: fmt.Sprintf("The request is larger than %d bytes.", MostRequest)})
}
