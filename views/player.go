package views

// DemoPlayer replaces the controls of a stage for a reader, who only looks.
type DemoPlayer struct {
	Head        ReaderHead
	Own, Legacy string // addresses of the recorded calls; Legacy may be empty
	address     func(step int, present bool) string
}
