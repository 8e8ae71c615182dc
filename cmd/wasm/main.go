//go:build js && wasm

// Command wasm is the program for browsers: it answers the calls of the workbench inside the
// page, so that a document stays on the computer that it is on. server/app/src/engine-worker.ts
// starts it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"einvoice/engine/budget"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// longest bounds one call.
const longest = time.Minute

// The collector is off until the first call has its answer, up to a limit of memory (engine-worker.ts). Then,
// after this time without which the answer would wait for it, memory is collected as usual.
const collectsAfter = time.Second

func main() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		panic(err) // what ships is tested
	}
	builtIn := workbench.New(s, workbench.Config{})
	desk := builtIn
	js.Global().Set("einvoiceUse", js.FuncOf(func(_ js.Value, given []js.Value) any {
		own := &workbench.Own{}
		if err := json.Unmarshal([]byte(given[0].String()), own); err != nil {
			return map[string]any{"error": refusal(desk, "", err)}
		}
		used, err := builtIn.Use(own)
		if err != nil {
			return map[string]any{"error": refusal(desk, "", err)}
		}
		desk = used
		return map[string]any{"json": "{}"}
	}))
	collect := sync.OnceFunc(func() {
		time.AfterFunc(collectsAfter, func() {
			debug.SetMemoryLimit(math.MaxInt64)
			debug.SetGCPercent(100)
		})
	})
	js.Global().Set("einvoiceCall", js.FuncOf(func(_ js.Value, given []js.Value) any {
		defer collect()
		return answer(desk, given[0].String(), given[1].String())
	}))
	js.Global().Call("einvoiceReady")
	select {}
}

// answer is {json} or {error}.
func answer(desk *workbench.Desk, name, body string) any {
	ctx := budget.Until(context.Background(), time.Now().Add(longest))
	value, err := desk.Call(ctx, name, []byte(body))
	var text bytes.Buffer
	if err == nil {
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(value)
	}
	if err != nil {
		return map[string]any{"error": refusal(desk, body, err)}
	}
	return map[string]any{"json": text.String()}
}

// refusal is what the page is told of an error, as the service tells it.
func refusal(desk *workbench.Desk, body string, err error) map[string]any {
	code, message := desk.Refusal([]byte(body), err)
	return map[string]any{"code": code, "message": message}
}
