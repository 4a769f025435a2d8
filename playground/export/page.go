package export

import (
	"bytes"
	"encoding/json"
)

// PageSuffix is the suffix of a page that is a file of its own. It has the recording
// in it, so that Import reads it as it reads the JSON file.
const PageSuffix = ".html"

// The element of a page that holds the recording. Everything else that a page shows
// is escaped, so that the first place with these bytes is the element.
const (
	recordingStart = `<script type="application/json" id="recording">`
	recordingEnd   = `</script>`
)

// Embed returns a file that JSON wrote as an element of a page. No text of the
// recording can end the element or begin another one: the characters that HTML and
// scripts give a meaning are escapes of JSON in it.
func Embed(file []byte) []byte {
	var b bytes.Buffer
	b.WriteString(recordingStart)
	json.HTMLEscape(&b, file)
	b.WriteString(recordingEnd)
	return b.Bytes()
}

// embedded returns the file of JSON that a page of Embed has. A file that is no page
// is returned as it is.
func embedded(data []byte) []byte {
	const doctype = "<!doctype html>"
	page := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(page) < len(doctype) || !bytes.EqualFold(page[:len(doctype)], []byte(doctype)) {
		return data
	}
	if _, after, ok := bytes.Cut(page, []byte(recordingStart)); ok {
		if file, _, ok := bytes.Cut(after, []byte(recordingEnd)); ok {
			return file
		}
	}
	return data
}
