//go:build unix

package verapdf

import (
	"os/exec"
	"syscall"
)

// endTogether ends a script with what it started, so that no Java keeps running.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
