//go:build !unix

package stdio

import (
	"os"
	"os/exec"
)

// own leaves a command where it is.
func own(*exec.Cmd) {}

// terminate ends a process, without its child processes.
func terminate(p *os.Process) error { return p.Kill() }

// kill ends a process, without its child processes.
func kill(p *os.Process) { _ = p.Kill() }

// guard does nothing: a command sees the end of its standard input when this program ends.
func guard(*os.Process) (relieve func()) { return func() {} }
