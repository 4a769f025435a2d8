package lesson

import "github.com/mrtr-playground/mrtr-playground/playground"

// MaxWords is the limit for the length of a lesson.
const MaxWords = maxWords

// CutHTTP splits an HTTP example into the lines of its head and its body.
func CutHTTP(text string) (head, body string) { return cutHTTP(text) }

// NewRecording returns the recording of an exchange.
func NewRecording(x playground.Exchange) Recording {
	r := Recording{Declared: x.Target.Capabilities, Method: x.Call.Method, Params: x.Call.Params}
	for _, e := range x.Log {
		r.Log = append(r.Log, recordedEvent{e.Kind, e.Conn, string(e.Data)})
	}
	return r
}

// SpotScripts returns the items of Spot the fault without their recordings.
func SpotScripts() ([]Item, error) {
	return readWith(files, "content/spot.md", newMarkdown().parseScripts)
}
