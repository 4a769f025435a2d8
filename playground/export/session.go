package export

import (
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Session is what a file holds: of a session its title, its note and its
// Exchanges. Whose it was and when it changed stay behind.
type Session = session.Session

// Limits of a file that is imported.
const (
	MaxBytes     = 2 << 20
	MaxExchanges = 64
	MaxEvents    = 20 * 502 // of one Exchange: 20 Rounds of 500 messages, request and decision
)

// Refusals of Import.
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

// The file, member by member in the order in which they are written. JSON text
// inside (params, capabilities) is a string, so that not even its white space
// changes on the way.
type (
	fileSession struct {
		Format    string         `json:"format"`
		Version   int            `json:"version"`
		Title     string         `json:"title"`
		Note      string         `json:"note"`
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
	// fileOrigin names an exchange that stands before the branch in the file.
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
	// fileEvent holds its bytes as Text, or as Base64 when they are no UTF-8.
	fileEvent struct {
		Seq    int     `json:"seq"`
		At     string  `json:"at"`
		Conn   int     `json:"conn"`
		Kind   string  `json:"kind"`
		Text   *string `json:"text,omitempty"`
		Base64 *string `json:"base64,omitempty"`

		Timing *fileTiming `json:"timing,omitempty"`
	}
	// fileTiming is how long the steps to an answer took, in nanoseconds.
	fileTiming struct {
		DNS       time.Duration `json:"dns"`
		Connect   time.Duration `json:"connect"`
		TLS       time.Duration `json:"tls"`
		FirstByte time.Duration `json:"firstByte"`
		Total     time.Duration `json:"total"`
	}
)
