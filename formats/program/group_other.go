//go:build !unix

package program

import "os/exec"

// endWithChildren does nothing: there are no process groups here.
func endWithChildren(*exec.Cmd) {}
