package inputfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
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
	for lines := bufio.NewReaderSize(unmarked(list), longestLine); ; {
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

// unmarked is a text without its byte order mark, and as UTF-8 if the mark is one of UTF-16.
func unmarked(text io.Reader) io.Reader {
	in := bufio.NewReader(text)
	mark, _ := in.Peek(3) // what cannot be read is told by the next to read
	for _, known := range []struct {
		mark  string
		order binary.ByteOrder // of UTF-16
	}{{"\xef\xbb\xbf", nil}, {"\xff\xfe", binary.LittleEndian}, {"\xfe\xff", binary.BigEndian}} {
		if !bytes.HasPrefix(mark, []byte(known.mark)) {
			continue
		}
		_, _ = in.Discard(len(known.mark)) // it was peeked at
		if known.order != nil {
			return &utf16Reader{in, known.order}
		}
	}
	return in
}

// utf16Reader reads UTF-16 as UTF-8. Half a pair is U+FFFD, as everywhere in Go.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for len(p)-n >= utf8.UTFMax {
		var unit [2]byte
		if _, err := io.ReadFull(u.in, unit[:]); err != nil {
			if n > 0 && errors.Is(err, io.EOF) {
				return n, nil
			}
			return n, err
		}
		r := rune(u.order.Uint16(unit[:]))
		if utf16.IsSurrogate(r) {
			second, _ := u.in.Peek(2) // none at the end
			if len(second) < 2 {
				second = unit[:]
			}
			if r = utf16.DecodeRune(r, rune(u.order.Uint16(second))); r != utf8.RuneError {
				_, _ = u.in.Discard(2) // it was peeked at
			}
		}
		n += utf8.EncodeRune(p[n:], r)
	}
	return n, nil
}
