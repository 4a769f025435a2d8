//go:build !linux

package pgtest

import (
	"os/exec"
	"syscall"
)

// The signals that stop a server.
const (
	fastShutdown      = syscall.SIGINT
	immediateShutdown = syscall.SIGQUIT
)

// Memory returns "": there is no folder of files that lie in memory.
func Memory() string { return "" }

func hasEnded(int) bool { return false }

// owner is a user whom a server runs as; on these systems that of the test.
type owner struct{}

func serverUser() (*owner, error) { return nil, nil }

func (*owner) own(string) error { return nil }

func (*owner) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

func endWithParent(*exec.Cmd) {}
