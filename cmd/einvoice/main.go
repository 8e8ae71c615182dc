// Command einvoice validates European electronic invoices (EN 16931) against
// rules that are data.
//
//	einvoice validate invoice.xml
//	einvoice rules show BR-CO-10
package main

import (
	"os"

	"einvoice/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(cli.Machines{})) }
