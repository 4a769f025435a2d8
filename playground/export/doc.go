// Package export turns what was recorded into files that outlive the program:
// a curl command that really replays a request, a Session as JSON that imports
// back byte for byte, HAR, a walkthrough in Markdown, and the wire as text.
//
// Everything in a recording was written by strangers. The package promises
// that none of it runs, opens or formats anything where it ends up: in a
// shell, in a Markdown page, in a spreadsheet, in a terminal. It masks nothing
// by itself; callers say which values stand for secrets.
package export
