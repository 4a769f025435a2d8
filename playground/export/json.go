package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// JSON returns the Session as a file that Import reads back without the loss of
// a byte. Equal Sessions give equal files. A Session that is stored after Import is
// not equal to the one in the file: it is Imported, which its files say, since this
// program did not record it, and a request that was still running has an event
// that ends it. From then on its files are equal, however often it is imported.
// JSON returns an error that wraps ErrContent if a text other than an event's
// data is not UTF-8.
func JSON(s Session) ([]byte, error) {
	file := fileSession{Format: format, Version: version, Title: s.Title, Note: s.Note,
		Imported: s.Imported, Exchanges: []fileExchange{}}
	for _, x := range s.Exchanges {
		e, err := writeExchange(x)
		if err != nil {
			return nil, fmt.Errorf("export exchange %s: %w", x.ID, err)
		}
		file.Exchanges = append(file.Exchanges, e)
	}
	return encode(file)
}

// encode returns readable JSON: indented, without escapes of < and &, and with
// escapes of hidden characters.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return text.EscapeJSON(b.Bytes()), nil
}

func writeExchange(x playground.Exchange) (fileExchange, error) {
	e := fileExchange{
		ID: x.ID, Session: x.Session, Created: formatTime(x.Created),
		Target: fileTarget{
			ID: x.Target.ID, Sample: x.Target.Sample, Name: x.Target.Name, URL: x.Target.URL,
			Capabilities: string(x.Target.Capabilities), Header: []fileField{},
		},
		Call: fileCall{x.Call.Method, string(x.Call.Params), string(x.Call.Tool)},
		Log:  []fileEvent{},
	}
	if x.Origin != nil {
		e.Origin = &fileOrigin{x.Origin.Exchange, x.Origin.Round}
	}
	for _, f := range x.Target.Header {
		e.Target.Header = append(e.Target.Header, fileField(f))
	}
	for _, event := range x.Log {
		e.Log = append(e.Log, writeEvent(event))
	}
	return e, checkText(e)
}

// checkText returns an error if a text is not UTF-8, because JSON would change
// it. Recorded exchanges have foreign bytes in the log only.
func checkText(e fileExchange) error {
	texts := []string{
		e.ID, e.Session, e.Target.ID, e.Target.Sample, e.Target.Name, e.Target.URL, e.Target.Capabilities,
		e.Call.Method, e.Call.Params, e.Call.Tool,
	}
	for _, f := range e.Target.Header {
		texts = append(texts, f.Name, f.Value)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%w: %q is not UTF-8", ErrContent, text)
		}
	}
	return nil
}

func writeEvent(e playground.Event) fileEvent {
	f := fileEvent{Seq: e.Seq, At: formatTime(e.At), Conn: e.Conn, Kind: string(e.Kind),
		Timing: newFileTiming(e.Timing)}
	switch {
	case len(e.Data) == 0:
	case utf8.Valid(e.Data):
		text := string(e.Data)
		f.Text = &text
	default:
		text := base64.StdEncoding.EncodeToString(e.Data)
		f.Base64 = &text
	}
	return f
}

// formatTime returns a time in UTC.
func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
