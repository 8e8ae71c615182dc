//go:build !packed

package cli

import _ "embed"

//go:embed notices.txt
var plainNotices []byte

// notices are the licences of everything that is linked; make notices writes them.
func notices() ([]byte, error) { return plainNotices, nil }
