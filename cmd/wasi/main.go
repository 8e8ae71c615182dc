//go:build wasip1

// Command wasi is the validator as a module of WebAssembly, for packages of other languages
// (docs/packages.md). It is given no file and no connection.
//
// As a module that a program has inside it (-buildmode=c-shared) it is asked by three
// functions: einvoice_take makes room for a request of so many bytes and tells where, nowhere
// if it is too long; einvoice_answer answers what was written there and tells how long the
// answer is; einvoice_given tells where the answer is, until the next call. As a program it
// answers each line of standard input with a line.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"

	"einvoice/service/guest"
)

// memory is what the module tries to stay within, in bytes; cmd/packages bounds what it gets.
const memory = 640 << 20

var open = sync.OnceValue(func() *guest.Guest {
	debug.SetMemoryLimit(memory)
	g, err := guest.Open()
	if err != nil {
		panic(err) // what ships is tested
	}
	return g
})

// What is handed over; kept, so that it stays where it is.
var asked, given []byte

//go:wasmexport einvoice_take
func take(length uint32) unsafe.Pointer {
	asked, given = nil, nil
	if length == 0 || length > guest.MostRequest {
		return nil
	}
	asked = make([]byte, length)
	return unsafe.Pointer(unsafe.SliceData(asked))
}

//go:wasmexport einvoice_answer
func answer() uint32 {
	if asked == nil {
		given = guest.TooLong()
	} else {
		given = open().Call(asked)
	}
	asked = nil
	return uint32(len(given)) //nolint:gosec // an answer is shorter than 4 GiB, as is the memory
}

//go:wasmexport einvoice_given
func givenAt() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(given)) }

func main() {
	if err := open().Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
