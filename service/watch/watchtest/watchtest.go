// Package watchtest has an operation for tests of lines that watch.
package watchtest

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"einvoice/service/bulk"
)

// Cured says to a process that poison and slowness are gone: such a document is valid, unless
// its second word is still.
const Cured = "WATCH_TEST_CURED"

// Judging says what a document says itself, in its first word, and ends the process on poison.
type Judging struct{}

// Name is that of no operation of the program.
func (Judging) Name() string { return "judging" }

// Digest is always the same.
func (Judging) Digest() string { return "rules" }

// Do judges a document.
func (Judging) Do(ctx context.Context, to []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	verdict, word := bulk.Unreadable, ""
	if d.Err != nil {
		word = d.Err.Error()
	} else {
		time.Sleep(time.Duration(len(d.Data)%5) * time.Millisecond)
		text := string(d.Data)
		if os.Getenv(Cured) != "" {
			for _, was := range []string{"poison", "slow"} {
				if rest, is := strings.CutPrefix(text, was+" "); is && !strings.HasPrefix(rest, "still") {
					text = "valid " + rest
				}
			}
		}
		switch {
		case strings.HasPrefix(text, "poison"):
			os.Exit(9)
		case strings.HasPrefix(text, "slow"):
			<-ctx.Done()
			return nil, bulk.Outcome{}, ctx.Err()
		case strings.HasPrefix(text, "panic"):
			panic("on purpose")
		case strings.HasPrefix(text, "valid"):
			verdict = bulk.Valid
		case strings.HasPrefix(text, "invalid"):
			verdict = bulk.Invalid
		}
	}
	line, err := json.Marshal(map[string]string{"file": d.Key, "verdict": string(verdict), "word": word})
	return append(append(to, line...), '\n'), bulk.Outcome{Verdict: verdict}, err
}
