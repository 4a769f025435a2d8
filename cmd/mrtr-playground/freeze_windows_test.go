package main

func (v *victim) freeze() { v.t.Skip("Windows has no signal that freezes a process") }
func (v *victim) thaw()   {}
