//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// endWithChildren lets the end of a script end the processes that it started, so that none
// keeps running.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
