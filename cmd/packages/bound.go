package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Numbers of the binary format of WebAssembly.
const (
	header        = 8 // bytes before the first section
	memorySection = 5
	hasMost       = 1 // a memory has a most as well as a least
)

// bounded is a module whose memory grows to so many pages of 64 KiB and no further, whoever
// runs it. The compiler leaves that out.
func bounded(module []byte, most uint64) ([]byte, error) {
	for at := header; at < len(module); {
		id := module[at]
		size, n := binary.Uvarint(module[at+1:])
		start := at + 1 + n
		if n <= 0 || size > uint64(len(module)-start) {
			break
		}
		end := start + int(size) //nolint:gosec // within the module
		if id != memorySection {
			at = end
			continue
		}
		r := bytes.NewReader(module[start:end])
		count, _ := binary.ReadUvarint(r)
		kind, _ := r.ReadByte()
		least, err := binary.ReadUvarint(r)
		if err != nil || count != 1 || kind != 0 || r.Len() > 0 || least > most {
			return nil, errors.New("the memory of the module is not as the compiler writes it")
		}
		content := binary.AppendUvarint([]byte{1, hasMost}, least)
		content = binary.AppendUvarint(content, most)
		out := append(bytes.Clone(module[:at+1]), binary.AppendUvarint(nil, uint64(len(content)))...)
		return append(append(out, content...), module[end:]...), nil
	}
	return nil, errors.New("the module has no memory")
}
