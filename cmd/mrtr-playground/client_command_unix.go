//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endsGroup makes a command end with everything that it has started when its
// context ends. The command gets a process group of its own, unless it shares a
// terminal, of which another group could not read. The function that it returns
// ends what is left.
func endsGroup(cmd *exec.Cmd, own bool) (end func()) {
	if !own {
		return func() {}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	signal := func(s syscall.Signal) error { return syscall.Kill(-cmd.Process.Pid, s) }
	cmd.Cancel = func() error { return signal(syscall.SIGTERM) }
	return func() { _ = signal(syscall.SIGKILL) }
}
