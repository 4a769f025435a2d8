package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Import reads a file that JSON wrote, of at most that many bytes, or a page that has it
// in it, and returns its Session. The file is not trusted: it is checked completely before
// anything is returned. The error wraps ErrFormat, ErrVersion, ErrTooLarge or ErrContent.
func Import(data []byte, most int) (Session, error) {
	if data = embedded(data); len(data) > most {
		return Session{}, fmt.Errorf("%w: %d bytes; the limit session-size is %d",
			ErrTooLarge, len(data), most)
	}
	if err := checkFormat(data); err != nil {
		return Session{}, err
	}
	var file fileSession
	if err := decode(data, &file); err != nil {
		return Session{}, fmt.Errorf("%w: %v", ErrContent, err)
	}
	if len(file.Exchanges) > MaxExchanges {
		return Session{}, fmt.Errorf("%w: more than %d exchanges", ErrTooLarge, MaxExchanges)
	}
	left := most
	s := Session{Title: file.Title, Note: file.Note, Imported: file.Imported}
	for i, e := range file.Exchanges {
		x, err := e.read()
		if err != nil {
			return Session{}, fmt.Errorf("exchange %d: %w", i+1, err)
		}
		if left -= decodedSize(x.Log, left); left < 0 {
			return Session{}, fmt.Errorf("%w: too many decompressed bytes; the limits are %d in a body "+
				"and %d in all", ErrTooLarge, wire.MaxDecoded, most)
		}
		x.Imported = file.Imported
		s.Exchanges = append(s.Exchanges, x)
	}
	if err := linkBranches(s, file); err != nil {
		return Session{}, err
	}
	return s, nil
}

// decodedSize returns how many bytes the compressed bodies of a log have once they are
// decompressed, or more than most. One that is larger than the limit of one
// counts as more than most.
func decodedSize(log []playground.Event, most int) int {
	size := 0
	for _, e := range log {
		if e.Kind != playground.Received {
			continue
		}
		limit := min(max(most-size, 0), wire.MaxDecoded)
		n := wire.DecodedSize(e.Data, limit)
		if n > limit {
			return most + 1
		}
		size += n
	}
	return size
}

// linkBranches sets the origins of branches. The parent must precede its
// branch, so that origins form no cycle.
func linkBranches(s Session, file fileSession) error {
	for i, e := range file.Exchanges {
		if e.Origin == nil {
			continue
		}
		parent := slices.IndexFunc(s.Exchanges[:i],
			func(x playground.Exchange) bool { return x.ID == e.Origin.Exchange })
		if parent < 0 || e.Origin.Round < 0 {
			return fmt.Errorf("%w: the origin of exchange %d does not precede it", ErrContent, i+1)
		}
		s.Exchanges[i].Origin = &playground.Origin{Exchange: e.Origin.Exchange, Round: e.Origin.Round}
		if e.Origin.Round > 0 {
			s.Exchanges[i].Origin.Parent = &s.Exchanges[parent]
		}
	}
	return nil
}

// checkFormat reads the format and version only, so that a file of a later
// version is distinguished from a damaged one.
func checkFormat(data []byte) error {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Format != format {
		if kind := kindOf(data); kind != "" {
			return fmt.Errorf("%w as JSON: it is %s", ErrFormat, kind)
		}
		return ErrFormat
	}
	if head.Version != version {
		return fmt.Errorf("%w: %d", ErrVersion, head.Version)
	}
	return nil
}

// kindOf says which other file of this program or of a browser the data is, and
// the remedy, or returns "".
func kindOf(data []byte) string {
	const again = "; export the call again, as .json"
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) == nil {
		var log struct {
			Entries *json.RawMessage `json:"entries"`
		}
		_, isReport := members["probes"]
		_, isStory := members["story"]
		_, isFlow := members["flow"]
		_, isMessage := members["jsonrpc"]
		switch {
		case json.Unmarshal(members["log"], &log) == nil && log.Entries != nil:
			return "a HAR file, which has the messages, but not the calls and decisions" + again
		case isReport:
			return "the report of a check, which has verdicts and one call"
		case isStory:
			return "a demo; import it under Demos"
		case isFlow:
			return "a flow; import it under Flows"
		case isMessage:
			return "a message of JSON-RPC"
		}
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(data[:min(len(data), 1000)])), "\n")
	switch {
	case strings.HasPrefix(first, "# "):
		return "text in Markdown, for people" + again
	case strings.HasPrefix(first, "<svg"), strings.HasPrefix(first, "sequenceDiagram"):
		return "a picture" + again
	case strings.HasPrefix(first, "<testsuite"), strings.HasPrefix(first, "<?xml"):
		return "XML, such as a report for CI"
	case len(first) >= 5 && strings.EqualFold(first[:5], "<!doc"), strings.HasPrefix(first, "<html"):
		return "a web page without a recording in it"
	case strings.HasPrefix(first, "flow:"):
		return "a flow; import it under Flows"
	case strings.HasPrefix(first, "story:"):
		return "a demo; import it under Demos"
	}
	return ""
}

// decode decodes JSON strictly: an unknown member would be lost on export.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("data after the end")
	}
	return nil
}

func (e fileExchange) read() (playground.Exchange, error) {
	if len(e.Log) > MaxEvents {
		return playground.Exchange{}, fmt.Errorf("%w: more than %d events", ErrTooLarge, MaxEvents)
	}
	created, err := readTime(e.Created)
	if err != nil {
		return playground.Exchange{}, err
	}
	x := playground.Exchange{
		ID: e.ID, Session: e.Session, Created: created,
		Call: playground.Call{Method: e.Call.Method, Params: json.RawMessage(e.Call.Params)},
	}
	if e.Call.Tool != "" {
		x.Call.Tool = json.RawMessage(e.Call.Tool)
	}
	if err := errors.Join(checkJSON("params", e.Call.Params), checkJSON("tool", e.Call.Tool)); err != nil {
		return playground.Exchange{}, err
	}
	if x.Target, err = e.Target.read(); err != nil {
		return playground.Exchange{}, err
	}
	for i, f := range e.Log {
		event, err := f.read(i + 1)
		if err != nil {
			return playground.Exchange{}, fmt.Errorf("event %d: %w", i+1, err)
		}
		x.Log = append(x.Log, event)
	}
	if err := playground.CheckRepetitions(x.Log); err != nil {
		return playground.Exchange{}, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return x, nil
}

func (t fileTarget) read() (playground.Target, error) {
	if _, failure := wire.CheckURL(t.URL, wire.Reach{}); failure != nil && !wire.IsCommand(t.URL) {
		return playground.Target{}, fmt.Errorf("%w: %s", ErrContent, failure.Detail)
	}
	target := playground.Target{
		ID: t.ID, Sample: t.Sample, Name: t.Name, URL: t.URL, Capabilities: json.RawMessage(t.Capabilities),
	}
	for _, f := range t.Header {
		if err := wire.CheckField(wire.Field(f)); err != nil {
			return playground.Target{}, fmt.Errorf("%w: %w", ErrContent, err)
		}
		target.Header = append(target.Header, wire.Field(f))
	}
	return target, checkJSON("capabilities", t.Capabilities)
}

// read returns the event. Its sequence number must be seq, since a log has no
// gaps.
func (f fileEvent) read(seq int) (playground.Event, error) {
	at, err := readTime(f.At)
	if err != nil {
		return playground.Event{}, err
	}
	if f.Seq != seq || !isKind(f.Kind) || f.Conn < 0 || f.Text != nil && f.Base64 != nil {
		return playground.Event{}, fmt.Errorf("%w: invalid number, kind or bytes", ErrContent)
	}
	e := playground.Event{Seq: seq, At: at, Conn: f.Conn, Kind: playground.EventKind(f.Kind),
		Timing: f.Timing.timing()}
	switch {
	case f.Text != nil:
		e.Data = []byte(*f.Text)
	case f.Base64 != nil:
		if e.Data, err = base64.StdEncoding.Strict().DecodeString(*f.Base64); err != nil {
			return playground.Event{}, fmt.Errorf("%w: %v", ErrContent, err)
		}
	}
	hasHead := e.Kind == playground.Sent || e.Kind == playground.Received
	if hasHead && len(wire.Split(e.Data).Head) > MaxHead {
		return playground.Event{}, fmt.Errorf("%w: a head has more than %d bytes", ErrTooLarge, MaxHead)
	}
	return e, nil
}

// isKind reports whether kind is the kind of an event.
func isKind(kind string) bool {
	switch playground.EventKind(kind) {
	case playground.Decided, playground.Sent, playground.Received, playground.Message,
		playground.Failed, playground.Cancelled, playground.Interrupted, playground.Repeated:
		return true
	}
	return false
}

func readTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %.40q is not a time", ErrContent, s)
	}
	return t.UTC(), nil
}

// checkJSON returns an error if text is neither empty nor JSON.
func checkJSON(what, text string) error {
	if text != "" && !json.Valid([]byte(text)) {
		return fmt.Errorf("%w: %s is not JSON", ErrContent, what)
	}
	return nil
}
