package cli

import (
	"io/fs"
	"path/filepath"
	"strings"

	"einvoice/model/numeral"

	"github.com/spf13/cobra"
)

// tellSkipped says how many PDFs of a folder are skipped where XML alone is read, and nothing for "" instead of a folder.
func tellSkipped(cmd *cobra.Command, folder string) {
	if folder == "" {
		return
	}
	skipped := 0
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error { // who reads the folder tells its errors
		if err == nil && !d.IsDir() && strings.EqualFold(filepath.Ext(name), ".pdf") {
			skipped++
		}
		return nil
	})
	if skipped > 0 {
		tell(cmd, "%s of %s skipped, as --on reads XML alone; write their invoices there with einvoice extract xml", numeral.Count(skipped, "PDF"), folder)
	}
}
