package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// errQuiet ends a stream after its response: nothing more came in the grace.
var errQuiet = errors.New("quiet after the response")

func silence() *Failure {
	return &Failure{TimeoutFirstByte, "the server accepted the connection and then said nothing"}
}

// input reads a connection under the limits of time, and of bytes in all: the
// lines of chunked encoding cost the body's limit nothing, but are not free.
// Its errors are io.EOF, errQuiet or a *Failure.
type input struct {
	conn      net.Conn
	limits    Limits
	now       func() time.Time
	sent      time.Time
	firstByte time.Duration
	got       bool      // a byte has come
	stream    bool      // silence is limited
	answered  time.Time // when the response of a stream came
	deadline  time.Time // of the whole call
	left      int
}

func (in *input) Read(p []byte) (int, error) {
	if in.left <= 0 {
		return 0, &Failure{TooLarge, "far more bytes than the body has; the rest was not read"}
	}
	until, late := in.until()
	if err := in.conn.SetReadDeadline(until); err != nil {
		return 0, FailureOf(err)
	}
	n, err := in.conn.Read(p[:min(len(p), in.left)])
	in.left -= n
	if n > 0 && !in.got {
		in.got, in.firstByte = true, in.now().Sub(in.sent)
	}
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, late
	}
	return n, FailureOf(err)
}

// until returns the next limit of time and what it means to reach it. Before
// the first byte both limits mean silence, which is the better word.
func (in *input) until() (time.Time, error) {
	until, late := in.deadline, error(&Failure{TimeoutTotal, "the answer took longer than " + in.limits.Total.String()})
	earlier := func(t time.Time, err error) {
		if !t.After(until) {
			until, late = t, err
		}
	}
	if !in.got {
		late = silence()
		earlier(in.deadline.Add(in.limits.FirstByte-in.limits.Total), late)
	}
	if in.stream {
		earlier(time.Now().Add(in.limits.Idle), &Failure{TimeoutIdle, "the stream was silent for " + in.limits.Idle.String()})
	}
	if !in.answered.IsZero() {
		earlier(in.answered.Add(in.limits.Grace), errQuiet)
	}
	return until, late
}
