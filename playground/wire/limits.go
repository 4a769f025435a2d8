package wire

import "time"

// Limits bound one request and its response. A zero field means the default;
// no limit can be switched off.
type Limits struct {
	DNS       time.Duration // name lookup
	Connect   time.Duration // all addresses of a name together
	TLS       time.Duration // handshake
	FirstByte time.Duration // from the start of Send to the first byte of the response
	Total     time.Duration // from the start of Send to the end of the response
	Idle      time.Duration // silence inside a stream
	Grace     time.Duration // reading on after a stream's JSON-RPC response, for data that must not follow
	Header    int           // bytes of the head, interim (1xx) heads and field lines included
	Body      int           // bytes of the body, or of all events of a stream
	Event     int           // bytes of one event
	Events    int           // events of a stream
}

// DefaultLimits returns the limits of the zero Limits.
func DefaultLimits() Limits {
	return Limits{
		DNS:       5 * time.Second,
		Connect:   5 * time.Second,
		TLS:       5 * time.Second,
		FirstByte: 30 * time.Second,
		Total:     30 * time.Second,
		Idle:      20 * time.Second,
		Grace:     250 * time.Millisecond,
		Header:    64 << 10,
		Body:      1 << 20,
		Event:     256 << 10,
		Events:    500,
	}
}

// OrDefaults returns l with its zero fields taken from DefaultLimits.
func (l Limits) OrDefaults() Limits { return l.or(DefaultLimits()) }

// For returns l with the fields of other that are not zero, which are set for a request.
func (l Limits) For(other Limits) Limits { return other.or(l) }

// or returns l with its zero fields taken from d.
func (l Limits) or(d Limits) Limits {
	for _, f := range []struct{ have, def *time.Duration }{
		{&l.DNS, &d.DNS}, {&l.Connect, &d.Connect}, {&l.TLS, &d.TLS}, {&l.FirstByte, &d.FirstByte},
		{&l.Total, &d.Total}, {&l.Idle, &d.Idle}, {&l.Grace, &d.Grace},
	} {
		if *f.have <= 0 {
			*f.have = *f.def
		}
	}
	for _, f := range []struct{ have, def *int }{
		{&l.Header, &d.Header}, {&l.Body, &d.Body}, {&l.Event, &d.Event}, {&l.Events, &d.Events},
	} {
		if *f.have <= 0 {
			*f.have = *f.def
		}
	}
	return l
}
