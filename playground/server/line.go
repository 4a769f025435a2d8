package server

// TargetLine is one of the user's servers in a list.
type TargetLine struct {
	ID, Name, URL, Status string
	Says                  string // what it says it is; empty when it never said
}
