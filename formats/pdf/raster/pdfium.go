//go:build !js

package raster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// pageSize is the unit of the memory of WebAssembly.
const pageSize = 64 << 10

// memoryPages is how much memory PDFium may have: 512 MiB.
const memoryPages = 512 << 20 / pageSize

// A pdfium is PDFium with memory of its own.
type pdfium struct {
	module api.Module
	memory *memory
}

// newPDFium starts PDFium. The end of the context stops it wherever it is.
func newPDFium(ctx context.Context) (*pdfium, error) {
	c, err := compiledPDFium(ctx)
	if err != nil {
		return nil, err
	}
	m := &memory{ctx: ctx}
	for _, of := range c.code.ExportedMemories() { // which cannot be refused later
		if err := m.asks(uint64(of.Min()) * pageSize); err != nil {
			return nil, err
		}
	}
	module, err := c.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, m), c.code, wazero.NewModuleConfig().WithStartFunctions("_initialize").WithName(""))
	if err != nil {
		return nil, err
	}
	p := &pdfium{module, m}
	if _, err := p.call(ctx, "FPDF_InitLibrary"); err != nil {
		_ = module.Close(ctx) // the error before counts
		return nil, err
	}
	return p, nil
}

// call calls a function of PDFium; its result is 0 if it has none.
func (p *pdfium) call(ctx context.Context, name string, arguments ...uint64) (uint64, error) {
	function := p.module.ExportedFunction(name)
	if function == nil {
		return 0, fmt.Errorf("PDFium has no function %s", name)
	}
	results, err := function.Call(ctx, arguments...)
	if p.memory.refused != nil { // it may go on without what it had no memory for
		return 0, p.memory.refused
	}
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// copied is where PDFium's copy of the data is.
func (p *pdfium) copied(ctx context.Context, data []byte) (uint64, error) {
	at, err := p.call(ctx, "malloc", uint64(len(data)))
	if err == nil && (at == 0 || !p.module.Memory().Write(uint32(at), data)) {
		err = errors.New("the PDF is larger than the memory of PDFium")
	}
	return at, err
}

// A compiled is PDFium as the processor runs it, for all PDFs.
type compiled struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
	err     error
	done    chan struct{}
}

// compiling begins to compile PDFium, which takes seconds, once.
var compiling = sync.OnceValue(func() *compiled {
	c := &compiled{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.err = c.compile(context.Background())
	}()
	return c
})

// compiledPDFium waits for PDFium, or for the end of the context.
func compiledPDFium(ctx context.Context) (*compiled, error) {
	c := compiling()
	select {
	case <-c.done:
		return c, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *compiled) compile(ctx context.Context) error {
	code, err := wasm()
	if err != nil {
		return err
	}
	c.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(cache()).WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, c.runtime); err != nil {
		return err
	}
	if c.code, err = c.runtime.CompileModule(ctx, code); err != nil {
		return err
	}
	return c.callbacks(ctx)
}

// callbacks defines what PDFium can call: the functions of its compiler, and for those of
// forms and files, which nothing here asks it to call, functions that do nothing.
func (c *compiled) callbacks(ctx context.Context) error {
	const module = "env"
	builder := c.runtime.NewHostModuleBuilder(module)
	exporter, err := emscripten.NewFunctionExporterForModule(c.code)
	if err != nil {
		return err
	}
	for _, f := range c.code.ImportedFunctions() {
		if from, name, _ := f.Import(); from == module {
			builder.NewFunctionBuilder().WithGoFunction(api.GoFunc(nothing), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	exporter.ExportFunctions(builder) // these take the place of some
	_, err = builder.Instantiate(ctx)
	return err
}

func nothing(_ context.Context, stack []uint64) {
	if len(stack) > 0 {
		stack[0] = 0
	}
}

// cache keeps the compiled PDFium in the user's folder for caches, where there is one, for
// the next run.
func cache() wazero.CompilationCache {
	if dir, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "einvoice", "pdfium")); err == nil {
			return cache
		}
	}
	return wazero.NewCompilationCache()
}
