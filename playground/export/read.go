package export

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MaxMessages is how many requests of a HAR file, or lines of a log, are read.
const MaxMessages = 10_000

// Read reads a recording, of at most that many bytes: what Import reads, a HAR file of any
// program, or messages of JSON-RPC, one a line. Of the latter two it returns a Session of
// KindCapture, joined as a capture joins the requests of a foreign client; its Others has
// what belongs to no call. Header fields with credentials are masked, and their values
// wherever they come again. The note of the Session says what was left out.
//
// A recording without times has those of the Unix epoch. Like Import, Read trusts nothing:
// it returns everything or an error.
func Read(data []byte, most int) (Session, error) {
	file := bytes.TrimPrefix(embedded(data), []byte("\xef\xbb\xbf"))
	if len(file) > most {
		return Import(data, most) // which says so
	}
	first := bytes.TrimLeft(file, " \t\r\n")
	if len(first) > 0 && first[0] == '{' && checkFormat(file) == nil {
		return Import(data, most)
	}
	switch n, err := readHAR(file, most); {
	case err == nil:
		return n, nil
	case !errors.Is(err, errOther):
		return Session{}, err
	}
	switch n, err := readLines(file, most); {
	case err == nil:
		return n, nil
	case !errors.Is(err, errOther):
		return Session{}, err
	}
	return Import(data, most) // which knows what else a file may be
}

// errOther says that a file is of another kind.
var errOther = errors.New("another kind of file")

// joined returns the Session of a recording of another program.
func joined(calls []playground.Exchange, others []playground.Event, note string) (Session, error) {
	if len(others) > 2*MaxMessages {
		return Session{}, fmt.Errorf("%w: more than %d events", ErrTooLarge, 2*MaxMessages)
	}
	n := Session{Kind: session.KindCapture, Imported: true, Note: note, Exchanges: calls, Others: others}
	for i := range n.Exchanges {
		if len(n.Exchanges[i].Log) > MaxEvents {
			return Session{}, fmt.Errorf("%w: more than %d events in a call", ErrTooLarge, MaxEvents)
		}
		n.Exchanges[i].Imported, n.Exchanges[i].Reading = true, nil // its times may be set
	}
	for _, conn := range playground.Unanswered(n.Others) {
		last := n.Others[len(n.Others)-1]
		n.Others = append(n.Others, playground.Event{
			Seq: last.Seq + 1, At: last.At, Conn: conn, Kind: playground.Interrupted,
		})
	}
	return n, nil
}

// tooManyCalls returns an error if a recording has more calls than a file can have.
func tooManyCalls(n int) error {
	if n > MaxExchanges {
		return fmt.Errorf("%w: more than %d calls", ErrTooLarge, MaxExchanges)
	}
	return nil
}

// ids returns a source of ids for the exchanges of a file. They are replaced when it is
// stored.
func ids() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("recorded-%d", n)
	}
}

// isMessage reports whether a JSON value is a message of JSON-RPC, or a batch of them.
func isMessage(n *jsontree.Node) bool {
	if n != nil && n.Kind == jsontree.Array && n.Len() > 0 {
		return isMessage(n.Elements()[0])
	}
	return n.Get("jsonrpc").Str() == "2.0" &&
		(n.Has("method") || n.Has("result") || n.Has("error"))
}

// leftOut says how much of a file was read and how much was not, in one sentence each.
func leftOut(kind string, read int, what string, out int) string {
	words := fmt.Sprintf("Imported from %s: %s of JSON-RPC.", kind, text.Plural(read, what))
	if out > 0 {
		words += fmt.Sprintf(" Left out: %d that are not.", out)
	}
	return words
}

// masks are the credentials of a recording.
type masks struct{ secrets *redact.Secrets }

// newMasks returns the credentials in the header fields of some heads and in some URLs.
func newMasks(heads [][]byte, urls []string) masks {
	var fields []wire.Field
	seen := map[wire.Field]bool{}
	for _, head := range heads {
		found, _ := redact.MaskCredentials(head)
		for _, f := range found {
			if !seen[f] {
				seen[f] = true
				fields = append(fields, f)
			}
		}
	}
	var more []string
	for _, u := range urls {
		more = append(more, redact.Values(nil, u)...)
	}
	return masks{redact.New(fields, "", nil, more...)}
}

// message returns a request or a response as it is stored.
func (m masks) message(b []byte) []byte {
	_, b = redact.MaskCredentials(b)
	return m.secrets.Mask(b)
}

// epoch is the time of a recording without times.
func epoch(n int) time.Time { return time.Unix(0, 0).UTC().Add(time.Duration(n) * time.Millisecond) }

// HasTimes reports whether a recording that Read returned has the times of its messages.
func HasTimes(n Session) bool {
	for _, x := range n.Exchanges {
		return x.Created.Year() > 1970
	}
	return len(n.Others) == 0 || n.Others[0].At.Year() > 1970
}
