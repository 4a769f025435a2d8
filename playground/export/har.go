package export

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// HAR is the Session as an HTTP Archive 1.2, one entry per Round that sent
// something. Where the format has no place for bytes that are no UTF-8 (in a
// request), the member _base64 has them; names with an underscore are the
// format's way for additions. A Round without an answer has the status 0, as
// browsers write it.
func HAR(s Session, by playground.Client) ([]byte, error) {
	log := harLog{Version: "1.2", Creator: harCreator{by.Name, by.Version}, Comment: s.Title, Entries: []harEntry{}}
	for _, x := range s.Exchanges {
		for _, r := range playground.Fold(x.Log).Rounds {
			for _, sent := range sentIn(r) {
				log.Entries = append(log.Entries, entry(x, sent))
			}
		}
	}
	return encode(map[string]harLog{"log": log})
}

// sentIn are the requests of a Round in the order in which they were sent: of a
// task every poll, of an older server its session too. A stream that goes on
// from an earlier Round is no request.
func sentIn(r playground.Round) []playground.Round {
	list := []playground.Round{r}
	list[0].Started = r.Asked
	for _, t := range r.Also {
		sent := playground.Round{Started: t.Started, Ended: t.Ended, Request: t.Request, Response: t.Response}
		sent.Head, _ = wire.ParseHead(t.Response.Head)
		list = append(list, sent)
	}
	list = slices.DeleteFunc(list, func(r playground.Round) bool { return len(r.Request.Head) == 0 })
	slices.SortStableFunc(list, func(a, b playground.Round) int { return a.Started.Compare(b.Started) })
	return list
}

func entry(x playground.Exchange, r playground.Round) harEntry {
	took := milliseconds(r.Ended.Sub(r.Started))
	if r.Ended.IsZero() {
		took = 0
	}
	return harEntry{
		Started: stamp(r.Started), Time: took,
		Request: harRequestOf(x, r), Response: harResponseOf(r),
		Timings: harTimings{Wait: took}, Comment: r.Detail,
	}
}

func harRequestOf(x playground.Exchange, r playground.Round) harRequest {
	head, _ := wire.ParseHead(r.Request.Head)
	method, _, _ := strings.Cut(head.Line, " ")
	q := harRequest{
		Method: method, URL: x.Target.URL, Version: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(head.Fields),
		Query: query(x.Target.URL), HeadersSize: len(r.Request.Head), BodySize: len(r.Request.Body),
	}
	if len(r.Request.Body) > 0 {
		q.Post = &harPost{Type: head.Get("Content-Type"), Params: []harPair{}, Text: strings.ToValidUTF8(string(r.Request.Body), "\ufffd")}
		if !utf8.Valid(r.Request.Body) {
			q.Post.Base64 = base64.StdEncoding.EncodeToString(r.Request.Body)
		}
	}
	return q
}

func harResponseOf(r playground.Round) harResponse {
	p := harResponse{
		Status: r.Head.Status, Version: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(r.Head.Fields),
		Redirect: r.Head.Get("Location"), HeadersSize: len(r.Response.Head), BodySize: len(r.Response.Body),
		Content: harContent{Size: len(r.Response.Body), Type: r.Head.Get("Content-Type"), Text: string(r.Response.Body)},
	}
	if parts := strings.SplitN(r.Head.Line, " ", 3); len(parts) == 3 {
		p.StatusText = strings.ToValidUTF8(parts[2], "\ufffd")
	}
	if len(r.Response.Head) == 0 {
		p.HeadersSize, p.BodySize = -1, -1
	}
	if !utf8.Valid(r.Response.Body) {
		p.Content.Text, p.Content.Encoding = base64.StdEncoding.EncodeToString(r.Response.Body), "base64"
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

// query is the query of an address, in its order.
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
