package inputfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// longestLine bounds a line of a list, in bytes.
const longestLine = 1 << 16

// ErrNotPath is the error of a list with a line that is too long to be a path.
var ErrNotPath = fmt.Errorf("a line of the list has more than %d bytes, so that it is not a path", longestLine)

// Paths calls yield for each line of a list that is not blank, without white space around it,
// until yield returns an error, which it returns. A byte order mark, as PowerShell and editors
// of Windows write it, is no part of the first path, and says whether the list is UTF-16.
// Without one, paths are the bytes that are there, which need not be UTF-8.
func Paths(list io.Reader, yield func(path string) error) error {
	marked := transform.NewReader(list, unicode.BOMOverride(encoding.Nop.NewDecoder()))
	for lines := bufio.NewReaderSize(marked, longestLine); ; {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return ErrNotPath
		}
		if path := strings.TrimSpace(string(line)); path != "" {
			if err := yield(path); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the list: %w", err)
		}
	}
}
