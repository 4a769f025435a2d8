//go:build unix

package stdio

import "os/exec"

// How a command ends that was killed, or asked to end.
const (
	killed     = "signal: killed"
	terminated = "signal: terminated"
)

// leave starts a process outside the group of the command.
func leave(cmd *exec.Cmd) { own(cmd) }
