//go:build linux

package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// browser sends what a browser sends. Its transport keeps connections as a
// browser does; it is for one visitor or for one worker.
type browser struct {
	base    string // URL of the program
	host    string // of the Host header
	origin  string // of the Origin header
	from    string // of X-Forwarded-For; "" without a proxy
	person  string // whom the proxy names; "" for no one
	cookies map[string]string
	cached  map[string]bool // assets that the browser has
	client  *http.Client
}

func newBrowser(base, origin, from string) *browser {
	u, _ := url.Parse(origin)
	return &browser{
		base: base, host: u.Host, origin: origin, from: from,
		cookies: map[string]string{}, cached: map[string]bool{},
		client: &http.Client{
			Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 2},
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			},
		},
	}
}

// page is a response: its path, its status, where it leads, and its text.
type page struct {
	status   int
	location string
	text     string
}

func (b *browser) get(ctx context.Context, path string) (page, error) {
	return b.send(ctx, http.MethodGet, path, nil, false)
}

// post sends a form, as htmx does if fragment is set.
func (b *browser) post(ctx context.Context, path string, form url.Values, fragment bool) (page, error) {
	return b.send(ctx, http.MethodPost, path, form, fragment)
}

func (b *browser) send(ctx context.Context, method, path string, form url.Values,
	fragment bool) (page, error) {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(ctx, method, b.base+path, body)
	if err != nil {
		return page{}, err
	}
	req.Host = b.host
	h := req.Header
	h.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) load")
	h.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	h.Set("Accept-Encoding", "gzip, deflate, br")
	h.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		h.Set("Content-Type", "application/x-www-form-urlencoded")
		h.Set("Origin", b.origin)
	}
	if fragment {
		h.Set("HX-Request", "true")
	}
	if b.from != "" {
		h.Set("X-Forwarded-For", b.from)
	}
	if b.person != "" {
		h.Set(userHeader, b.person)
	}
	for name, value := range b.cookies {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	res, err := b.client.Do(req)
	if err != nil {
		return page{}, err
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		b.cookies[c.Name] = c.Value
	}
	text, err := readText(res)
	if err != nil {
		return page{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return page{res.StatusCode, res.Header.Get("Location"), text}, nil
}

// readText returns the body, uncompressed. An asset stays as it came.
func readText(res *http.Response) (string, error) {
	var body io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(res.Body)
		if err != nil {
			return "", err
		}
		body = unpacked
	}
	text, err := io.ReadAll(body)
	return string(text), err
}

// assets are the paths of the style sheets, scripts and icons in the page that
// the browser does not have yet. From now on it has them.
func (b *browser) assets(p page) (paths []string) {
	for _, part := range strings.Split(p.text, `"/static/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if path := "/static/" + name; !b.cached[path] && !strings.Contains(name, "palette") {
			b.cached[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// want returns an error if the page has not this status or not this text.
func (p page) want(status int, text string) error {
	if p.status == status && strings.Contains(p.text, text) {
		return nil
	}
	said := p.text
	if i := strings.Index(said, "<main"); i >= 0 {
		said = said[i:]
	}
	return fmt.Errorf("status %d, or no %s in %.300q", p.status, text, said)
}
