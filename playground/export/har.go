package export

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// HAR returns the Session as an HTTP Archive 1.2 with one entry for each
// request over HTTP; lines of standard input are left out. by is named as its
// creator. The format has no place for a request body that is not UTF-8; the
// member _base64 holds it, an addition that the format allows. A request without
// a response has the status 0, as in files of browsers.
func HAR(s Session, by playground.Client) ([]byte, error) {
	log := harLog{Version: "1.2", Creator: harCreator{by.Name, by.Version}, Comment: s.Title,
		Entries: []harEntry{}}
	if s.Imported {
		log.Comment = strings.TrimSpace(log.Comment + " " + importedWords)
	}
	if slices.ContainsFunc(s.Exchanges, func(x playground.Exchange) bool { return x.Target.IsCommand() }) {
		log.Comment = strings.TrimSpace(log.Comment + " " + noHTTP)
	}
	for _, x := range s.Exchanges {
		if x.Target.IsCommand() {
			continue
		}
		for _, r := range x.FoldOwn().Rounds {
			for _, t := range tripsOf(r) {
				comment := ""
				if t.Conn == r.Conn {
					comment = r.Detail
				}
				if t.Repeats > 0 {
					comment = strings.TrimSpace(comment + " " + narrate.Repeats(t) +
						" Only this one is listed.")
				}
				log.Entries = append(log.Entries, entry(x, t, comment))
			}
		}
	}
	return encode(map[string]harLog{"log": log})
}

// noHTTP is the note about calls that are made of lines.
const noHTTP = "Calls over standard input are left out, because they have no HTTP."

// tripsOf returns the requests of a Round in the order in which they were sent,
// including every poll of a task and the session with a legacy server. A stream
// that continues from an earlier Round is not a request.
func tripsOf(r playground.Round) []playground.Trip {
	list := append([]playground.Trip{r.Trip}, r.Others...)
	list = slices.DeleteFunc(list, func(t playground.Trip) bool { return len(t.Request.Head) == 0 })
	slices.SortStableFunc(list, func(a, b playground.Trip) int { return a.Started.Compare(b.Started) })
	return list
}

func entry(x playground.Exchange, t playground.Trip, comment string) harEntry {
	took := milliseconds(t.Last.Sub(t.Started))
	if t.Last.IsZero() {
		took = 0
	}
	return harEntry{
		Started: formatTime(t.Started), Time: took,
		Request: harRequestOf(x, t), Response: harResponseOf(t),
		Timings: harTimings{Wait: took}, Comment: comment,
	}
}

func harRequestOf(x playground.Exchange, t playground.Trip) harRequest {
	head, _ := wire.ParseHead(t.Request.Head)
	method, _, _ := strings.Cut(head.Line, " ")
	q := harRequest{
		Method: method, URL: x.Target.URL, Version: "HTTP/1.1", Cookies: []harPair{},
		Headers: pairs(head.Fields),
		Query:   query(x.Target.URL), HeadersSize: len(t.Request.Head), BodySize: len(t.Request.Body),
	}
	if len(t.Request.Body) > 0 {
		q.Post = &harPost{Type: head.Get("Content-Type"), Params: []harPair{},
			Text: strings.ToValidUTF8(string(t.Request.Body), "\ufffd")}
		if !utf8.Valid(t.Request.Body) {
			q.Post.Base64 = base64.StdEncoding.EncodeToString(t.Request.Body)
		}
	}
	return q
}

func harResponseOf(t playground.Trip) harResponse {
	p := harResponse{
		Status: t.Head.Status, Version: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(t.Head.Fields),
		Redirect: t.Head.Get("Location"), HeadersSize: len(t.Response.Head), BodySize: len(t.Response.Body),
		Content: harContent{Size: len(t.Response.Body), Type: t.Head.Get("Content-Type"),
			Text: string(t.Response.Body)},
	}
	if parts := strings.SplitN(t.Head.Line, " ", 3); len(parts) == 3 {
		p.StatusText = strings.ToValidUTF8(parts[2], "\ufffd")
	}
	if len(t.Response.Head) == 0 {
		p.HeadersSize, p.BodySize = -1, -1
	}
	if !utf8.Valid(t.Response.Body) {
		p.Content.Text, p.Content.Encoding = base64.StdEncoding.EncodeToString(t.Response.Body), "base64"
	}
	return p
}

func pairs(fields []wire.Field) []harPair {
	list := []harPair{}
	for _, f := range fields {
		list = append(list, harPair{f.Name, strings.ToValidUTF8(f.Value, "\ufffd")})
	}
	return list
}

// query returns the parameters in the query of a URL, in their order.
func query(address string) []harPair {
	list := []harPair{}
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" {
		return list
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		list = append(list, harPair{unescape(name), unescape(value)})
	}
	return list
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return strings.ToValidUTF8(plain, "\ufffd")
	}
	return s
}

func milliseconds(d time.Duration) float64 { return float64(max(d, 0).Microseconds()) / 1000 }

// The parts of HAR 1.2 that are written, with the names of the format.
type (
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment,omitempty"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		Version     string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Query       []harPair `json:"queryString"`
		Post        *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harPost struct {
		Type   string    `json:"mimeType"`
		Params []harPair `json:"params"`
		Text   string    `json:"text"`
		Base64 string    `json:"_base64,omitempty"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		Version     string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		Redirect    string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harContent struct {
		Size     int    `json:"size"`
		Type     string `json:"mimeType"`
		Text     string `json:"text"`
		Encoding string `json:"encoding,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)
