package app

// Mode is how the program was started. It answers two questions, each by a method of its
// own: whose work is it (Shared), and which servers may be called (CallsInside).
type Mode string

const (
	// Local is for one person: the program listens on loopback, keeps one workspace, and
	// refuses requests that came through a proxy.
	Local Mode = "local"
	// Trusted is for the visitors of a network whose servers may be called.
	Trusted Mode = "trusted"
	// Public is for anyone.
	Public Mode = "public"
)

// Shared reports whether several people use the program: each browser then has a
// workspace of its own, known by its cookie.
func (m Mode) Shared() bool { return m != Local }

// CallsInside reports whether servers may be called that are not on the public internet,
// and over plain HTTP.
func (m Mode) CallsInside() bool { return m != Public }

// Limited reports whether visitors have rates, places and storage of their own.
func (m Mode) Limited() bool { return m == Public }
