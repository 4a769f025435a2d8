package gateways

import "os/exec"

// group does nothing: Windows has no groups of processes.
func group(*exec.Cmd) {}

// end ends a process.
func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// kill ends a process.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
