package report

import (
	"bufio"
	"encoding/json"
	"io"
)

// jsonLinesWriter writes one JSON object a line, each as soon as it is known.
type jsonLinesWriter struct {
	w       *bufio.Writer
	options Options
}

func newJSONLines(w io.Writer, options Options) Writer {
	return &jsonLinesWriter{w: bufio.NewWriter(w), options: options}
}

func (j *jsonLinesWriter) Encode(o *Outcome) (Part, error) { return Line(o, j.options) }

// Line returns one outcome as a line of JSON Lines.
func Line(o *Outcome, options Options) ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(options.document(o))
	return append(line, '\n'), err
}

func (j *jsonLinesWriter) Write(part Part) error {
	_, err := j.w.Write(part.([]byte))
	return err
}

func (j *jsonLinesWriter) Close(*Summary) error { return j.w.Flush() }
