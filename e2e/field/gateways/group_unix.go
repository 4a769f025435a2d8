//go:build unix

package gateways

import (
	"os/exec"
	"syscall"
)

// group starts a command in a group of processes of its own.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		kill(cmd)
		return nil
	}
}

// end asks the processes of a group to end.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// kill ends the processes of a group at once.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
