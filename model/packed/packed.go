// Package packed unpacks what the program embeds compressed, such as fonts, tables and licences. A program
// with the build tag packed has them so; `make build` packs them with cmd/pack. One without
// the tag needs no preparation and has them as their modules embed them, which is larger.
package packed

import (
	"github.com/klauspost/compress/zstd"
)

// Ending is the ending of the names of packed files.
const Ending = ".zst"

// Pack compresses data as far as its form allows.
func Pack(data []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(true))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(data, nil), nil
}

// Unpack is the data that was packed.
func Unpack(packed []byte) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}
