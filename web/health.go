package web

// Build says how the program was built.
type Build struct {
	Revision string // the commit; empty if it is not known
	Go       string // version of Go
}
