package app

// Mode is how the program was started: for whom it is, and by which names it is known. Which
// servers may be called is its reach (wire.Reach).
type Mode string

const (
	// Local is for one person: the program listens on loopback, keeps one workspace, and
	// refuses requests that came through a proxy.
	Local Mode = "local"
	// Trusted is for the visitors of a network, who open it by its address or a name of
	// -allow-host.
	Trusted Mode = "trusted"
	// Public is for anyone.
	Public Mode = "public"
)

// Shared reports whether several people use the program: each person or browser then has a
// workspace, rates, places and storage of its own.
func (m Mode) Shared() bool { return m != Local }
