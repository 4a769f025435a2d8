//go:build unix

package main

import (
	"os"
	"os/exec"
)

func apart(*exec.Cmd) {}

// stop sends what Ctrl-C does.
func stop(p *os.Process) error { return p.Signal(os.Interrupt) }
