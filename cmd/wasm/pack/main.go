// Command pack compresses the program for browsers, once and as far as brotli goes.
//
//	go run ./cmd/wasm/pack bin/einvoice.wasm server/app/wasm/einvoice.wasm.br
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/andybalholm/brotli"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE COMPRESSED")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// window is the largest that every browser takes, as a power of two.
const window = 24

func pack(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: window})
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%s: %.1f MB, compressed %.1f MB\n", to, float64(len(data))/1e6, float64(packed.Len())/1e6)
	return os.WriteFile(to, packed.Bytes(), 0o644) //nolint:gosec // it is served to everyone
}
