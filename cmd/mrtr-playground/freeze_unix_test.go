//go:build unix

package main

import "syscall"

// freeze stops the process without its noticing; thaw lets it go on.
func (v *victim) freeze() { v.signal(syscall.SIGSTOP) }
func (v *victim) thaw()   { v.signal(syscall.SIGCONT) }
