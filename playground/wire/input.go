package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// errQuiet ends a stream after its response: nothing followed within the grace
// period.
var errQuiet = errors.New("quiet after the response")

func silence() *Failure {
	return fail(TimeoutFirstByte, "the server accepted the connection but sent nothing")
}

// input reads a connection under the time limits and a limit on all bytes,
// which also counts the chunk lines that the body's limit does not. Its errors
// are io.EOF, errQuiet or a *Failure.
type input struct {
	conn      net.Conn
	limits    Limits
	now       func() time.Time
	sent      time.Time
	firstByte time.Duration
	got       bool      // a byte has arrived
	stream    bool      // the Idle limit applies
	answered  time.Time // when the JSON-RPC response of a stream arrived
	deadline  time.Time // of the whole call
	left      int
}

func (in *input) Read(p []byte) (int, error) {
	if in.left <= 0 {
		return 0, fail(TooLarge, "the response is much larger than its body; the rest was not read")
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

// until returns the next deadline and the error for reaching it. Before the
// first byte every deadline is reported as silence, which says more.
func (in *input) until() (time.Time, error) {
	total := fail(TimeoutTotal, "the response took longer than "+in.limits.Total.String())
	until, late := in.deadline, error(total)
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
		idle := fail(TimeoutIdle, "the stream was silent for "+in.limits.Idle.String())
		earlier(time.Now().Add(in.limits.Idle), idle)
	}
	if !in.answered.IsZero() {
		earlier(in.answered.Add(in.limits.Grace), errQuiet)
	}
	return until, late
}
