// Package share decides what of a Session becomes public. NewSnapshot removes
// what the user omits, finds what looks like a secret, masks it and returns the
// snapshot. The preview is made by the same call, so that it shows exactly the
// published text.
//
// Its words: a piece is one stretch of recorded bytes; a view is text decoded
// from a piece (a JSON string, Base64) that records which bytes it came from; a
// mark is a stretch of a piece that belongs to a Finding.
//
// A masked value does not occur in the snapshot, in clear or in an encoding
// that the package knows. Masking changes no length and keeps JSON valid, and a
// snapshot of a snapshot is the same. The package does not guarantee to find
// every secret: the user must check the preview.
//
// The package is pure. The preview and the snapshot must be made of the same
// Session with the same Options; otherwise the user has checked another text
// than the published one.
package share

import "time"

// Share is a redacted snapshot of a Session that can be read by link.
type Share struct {
	Token, Session, Title string
	Other                 string // id of a second session that it shows; empty for none
	Created, Expires      time.Time
	Views                 int    // how often it was opened
	Data                  []byte // a file of package export
	Image                 []byte // PNG
}
