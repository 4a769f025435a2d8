package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// harFile is what is read of a HAR file. Files of browsers have more.
type harFile struct {
	Log *struct {
		Entries []harRead `json:"entries"`
	} `json:"log"`
}

// harRead is an entry of a HAR file of any program.
type harRead struct {
	Started string  `json:"startedDateTime"`
	Time    float64 `json:"time"`
	Request struct {
		Method  string    `json:"method"`
		URL     string    `json:"url"`
		Headers []harPair `json:"headers"`
		Post    struct {
			Text   string `json:"text"`
			Base64 string `json:"_base64"`
		} `json:"postData"`
	} `json:"request"`
	Response struct {
		Status     int       `json:"status"`
		StatusText string    `json:"statusText"`
		Headers    []harPair `json:"headers"`
		Content    struct {
			Text     string `json:"text"`
			Encoding string `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
}

// harTrip is an entry with a message of JSON-RPC.
type harTrip struct {
	at, ended time.Time
	url       *url.URL
	request   wire.Frame
	response  wire.Frame // without a head if there was none
}

// readHAR reads the MCP traffic of a HAR file.
func readHAR(data []byte, most int) (Session, error) {
	var file harFile
	if err := json.Unmarshal(data, &file); err != nil || file.Log == nil || file.Log.Entries == nil {
		return Session{}, errOther
	}
	if len(file.Log.Entries) > MaxMessages {
		return Session{}, fmt.Errorf("%w: more than %d entries", ErrTooLarge, MaxMessages)
	}
	var trips []harTrip
	var heads [][]byte
	var urls []string
	size := 0
	for _, e := range file.Log.Entries {
		t, ok := e.trip(len(trips))
		if !ok {
			continue
		}
		if size += len(t.request.Body) + len(t.response.Body); size > most {
			return Session{}, fmt.Errorf("%w: the limit session-size is %d", ErrTooLarge, most)
		}
		if len(t.request.Head) > MaxHead || len(t.response.Head) > MaxHead {
			return Session{}, fmt.Errorf("%w: a head has more than %d bytes", ErrTooLarge, MaxHead)
		}
		trips = append(trips, t)
		heads = append(heads, t.request.Bytes(), t.response.Head)
		urls = append(urls, t.url.String())
	}
	if len(trips) == 0 {
		return Session{}, fmt.Errorf("%w: none of the %s of this HAR file is a POST with a message of "+
			"JSON-RPC",
			ErrContent, text.Plural(len(file.Log.Entries), "request"))
	}
	slices.SortStableFunc(trips, func(a, b harTrip) int { return a.at.Compare(b.at) })
	m := newMasks(heads, urls)
	roll := capture.NewRoll(ids())
	for _, t := range trips {
		address := string(m.secrets.Mask([]byte(redact.MaskURL(t.url.String()))))
		target := playground.Target{Name: t.url.Host, URL: address}
		roll.Add(target, wire.Split(m.message(t.request.Bytes())), t.at, t.parts(m))
		if err := tooManyCalls(roll.Calls()); err != nil {
			return Session{}, err
		}
	}
	calls, others := roll.Recorded()
	n, err := joined(calls, others,
		leftOut("a HAR file", len(trips), "request", len(file.Log.Entries)-len(trips)))
	n.Title = trips[0].url.Host
	return n, err
}

// trip returns an entry as it was on the wire, and false for one that is no message of
// JSON-RPC to a server.
func (e harRead) trip(n int) (harTrip, bool) {
	t := harTrip{at: epoch(n)}
	u, failure := wire.CheckURL(e.Request.URL, wire.Reach{})
	if failure != nil || !wire.IsToken(e.Request.Method) {
		return t, false
	}
	body := []byte(e.Request.Post.Text)
	if exact, err := base64.StdEncoding.DecodeString(e.Request.Post.Base64); err == nil && len(exact) > 0 {
		body = exact
	}
	message, _ := jsontree.Parse(body, jsontree.Limits{})
	if t.url = u; !e.isOfMCP(message) {
		return t, false
	}
	if at, err := time.Parse(time.RFC3339Nano, e.Started); err == nil && at.Year() > 1970 &&
		at.Year() < 10000 {
		t.at = at.UTC()
	}
	t.ended = t.at
	if ms := e.Time; ms > 0 && ms < 1e9 {
		t.ended = t.at.Add(time.Duration(ms * float64(time.Millisecond)))
	}
	t.request = wire.Frame{Head: headOf(fmt.Sprintf("%s %s HTTP/1.1", e.Request.Method, u.RequestURI()),
		e.Request.Headers, u.Host, len(body)), Body: body}
	if e.Response.Status < 100 || e.Response.Status > 999 {
		return t, true
	}
	content := []byte(e.Response.Content.Text)
	if e.Response.Content.Encoding == "base64" {
		if exact, err := base64.StdEncoding.DecodeString(e.Response.Content.Text); err == nil {
			content = exact
		}
	}
	headers := e.Response.Headers
	if utf8.Valid(content) { // the archive has the body after it was decompressed
		headers = slices.DeleteFunc(slices.Clone(headers),
			func(p harPair) bool { return strings.EqualFold(p.Name, "Content-Encoding") })
	}
	line := strings.TrimSpace(fmt.Sprintf("HTTP/1.1 %d %s", e.Response.Status, oneLine(
		e.Response.StatusText)))
	t.response = wire.Frame{Head: headOf(line, headers, "", len(content)), Body: content}
	return t, true
}

// isOfMCP reports whether a request is one of MCP: a POST with a message, or the stream or
// the end of a legacy session.
func (e harRead) isOfMCP(message *jsontree.Node) bool {
	if strings.EqualFold(e.Request.Method, "POST") {
		return isMessage(message)
	}
	return slices.ContainsFunc(e.Request.Headers, func(p harPair) bool {
		return strings.EqualFold(p.Name, "Mcp-Session-Id")
	})
}

// headOf returns a head with those fields of an archive that are valid. Lengths and codings
// that do not fit the body as the archive has it are left out.
func headOf(line string, fields []harPair, host string, size int) []byte {
	var b bytes.Buffer
	b.WriteString(oneLine(line) + "\r\n")
	for _, p := range fields {
		name := p.Name
		if strings.HasPrefix(name, ":") || !wire.IsToken(name) || strings.ContainsAny(p.Value, "\r\n\x00") ||
			strings.EqualFold(name, "Transfer-Encoding") ||
			strings.EqualFold(name, "Content-Length") && strings.TrimSpace(p.Value) != fmt.Sprint(size) {
			continue
		}
		if strings.EqualFold(name, "Host") {
			host = ""
		}
		b.WriteString(name + ": " + p.Value + "\r\n")
	}
	if host != "" {
		b.WriteString("Host: " + host + "\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// oneLine returns a text without line breaks and NUL.
func oneLine(s string) string {
	return strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ").Replace(s)
}

// parts returns the parts of the response as they are recorded.
func (t harTrip) parts(m masks) []playground.Event {
	if len(t.response.Head) == 0 {
		return []playground.Event{{At: t.ended, Kind: playground.Interrupted}}
	}
	head, _ := wire.ParseHead(t.response.Head)
	if !head.IsStream() {
		return []playground.Event{{At: t.ended, Kind: playground.Received, Data: m.message(
			t.response.Bytes())}}
	}
	parts := []playground.Event{{At: t.ended, Kind: playground.Received, Data: m.message(t.response.Head)}}
	for _, event := range wire.Events(t.response.Body) {
		parts = append(parts, playground.Event{At: t.ended, Kind: playground.Message,
			Data: m.secrets.Mask(event)})
	}
	return parts
}
