//go:build packed

package cli

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/notices.txt.zst
var packedNotices []byte

// notices are the licences of everything that is linked; make notices writes them.
func notices() ([]byte, error) { return packed.Unpack(packedNotices) }
