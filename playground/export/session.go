// Package export converts a recording into files: a curl command that sends a
// request again, a Session as JSON that can be imported without loss, HAR, a
// walkthrough in Markdown, and the messages as text.
//
// Recorded bytes come from foreign servers. None of them is executed, opened or
// formatted in a shell, a Markdown page, a spreadsheet or a terminal: a format
// that quotes them in a new place must make them harmless there. The package
// masks nothing itself; the caller names the values that stand for secrets.
//
// A file that Import reads comes from a stranger. Its size and its numbers are
// limited, and it is accepted as a whole or not at all. Bytes in a file are the
// recorded ones and never encoded again, so a Session that is exported and
// imported has the same Rounds. The package is pure.
package export

import (
	"errors"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Session is the session in a file. Only its title and note, whether it was
// imported, and its Exchanges are exported.
type Session = session.Session

// Limits of an imported file.
const (
	MaxExchanges = 256
	MaxEvents    = 20 * 502 // of one Exchange: 20 Rounds of 500 messages, request and decision
	MaxHead      = 64 << 10 // of one request or response, in bytes; what wire.DefaultLimits allows
)

// Errors of Import.
var (
	ErrFormat   = errors.New("this is not a file that MRTR Playground saved")
	ErrVersion  = errors.New("the file has a version that this program does not know")
	ErrTooLarge = errors.New("the file is too large")
	ErrContent  = errors.New("the file is damaged")
)

const (
	format  = "mrtr-playground/session"
	version = 1
)

// The members of the file, in the order in which they are written. JSON text in
// it (params, capabilities) is a string, so that its white space does not
// change.
type (
	fileSession struct {
		Format    string         `json:"format"`
		Version   int            `json:"version"`
		Title     string         `json:"title"`
		Note      string         `json:"note"`
		Imported  bool           `json:"imported,omitempty"` // not recorded where the file was made
		Exchanges []fileExchange `json:"exchanges"`
	}
	fileExchange struct {
		ID      string      `json:"id"`
		Session string      `json:"session"`
		Created string      `json:"created"`
		Origin  *fileOrigin `json:"origin,omitempty"`
		Target  fileTarget  `json:"target"`
		Call    fileCall    `json:"call"`
		Log     []fileEvent `json:"log"`
	}
	// fileOrigin refers to an exchange that precedes the branch in the file.
	fileOrigin struct {
		Exchange string `json:"exchange"`
		Round    int    `json:"round"`
	}
	fileTarget struct {
		ID           string      `json:"id"`
		Sample       string      `json:"sample"`
		Name         string      `json:"name"`
		URL          string      `json:"url"`
		Capabilities string      `json:"capabilities"`
		Header       []fileField `json:"header"`
	}
	fileField struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	fileCall struct {
		Method string `json:"method"`
		Params string `json:"params"`
		Tool   string `json:"tool,omitempty"` // as the server listed it
	}
	// fileEvent holds its bytes as Text, or as Base64 if they are not UTF-8.
	fileEvent struct {
		Seq    int     `json:"seq"`
		At     string  `json:"at"`
		Conn   int     `json:"conn"`
		Kind   string  `json:"kind"`
		Text   *string `json:"text,omitempty"`
		Base64 *string `json:"base64,omitempty"`

		Timing *fileTiming `json:"timing,omitempty"`
	}
	// fileTiming holds the durations of the steps to a response, in
	// nanoseconds.
	fileTiming struct {
		DNS       time.Duration `json:"dns"`
		Connect   time.Duration `json:"connect"`
		TLS       time.Duration `json:"tls"`
		FirstByte time.Duration `json:"firstByte"`
		Total     time.Duration `json:"total"`
	}
)

// newFileTiming returns the durations of a timing, without the addresses of the server.
func newFileTiming(t *wire.Timing) *fileTiming {
	if t == nil {
		return nil
	}
	return &fileTiming{DNS: t.DNS, Connect: t.Connect, TLS: t.TLS, FirstByte: t.FirstByte, Total: t.Total}
}

// timing is the inverse of newFileTiming.
func (f *fileTiming) timing() *wire.Timing {
	if f == nil {
		return nil
	}
	return &wire.Timing{DNS: f.DNS, Connect: f.Connect, TLS: f.TLS, FirstByte: f.FirstByte, Total: f.Total}
}

// FileName returns a name for a download: the letters, digits and dashes of the
// title, and the suffix. It is not a path, an option, a device or a header on
// any system.
func FileName(title, suffix string) string {
	var b strings.Builder
	b.WriteString("mrtr")
	dash := true
	for _, r := range strings.ToLower(title) {
		switch {
		case b.Len() >= 60:
			return b.String() + suffix
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if dash {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		default:
			dash = true
		}
	}
	return b.String() + suffix
}
