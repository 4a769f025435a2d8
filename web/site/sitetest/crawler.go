package sitetest

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// Crawler follows every link of the site.
type Crawler struct {
	*Site
	Seen    map[string]string // path -> where it was found
	Queue   []string
	Queries map[string]int      // by path without a query: how many were queued
	IDs     map[string][]string // path -> its anchors
	Asked   map[string][]string // path -> anchors that links want there
}

// Fetch reads a path. It returns the status, the type, and the body or, of an answer that
// leads elsewhere, the path there.
func (c *Crawler) Fetch(path string) (int, string, string) {
	req, err := http.NewRequestWithContext(c.T.Context(), http.MethodGet, c.URL+path, nil)
	Check(c.T, err)
	req.Header.Set("Cookie", c.Cookies)
	res, err := c.Client.Do(req)
	Check(c.T, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	Check(c.T, err)
	if to := res.Header.Get("Location"); to != "" {
		body = []byte(to)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), string(body)
}

// Post sends a form and keeps the cookies that come back.
func (c *Crawler) Post(path string, form url.Values) {
	res, err := c.Client.PostForm(c.URL+path, form)
	Check(c.T, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		c.T.Fatalf("POST %s answers %d", path, res.StatusCode)
	}
	for _, cookie := range res.Cookies() {
		c.Cookies = cookie.Name + "=" + cookie.Value
	}
}

// NewCrawler returns a crawler of a site of its own that has read nothing.
func NewCrawler(t *testing.T, mode app.Mode, changes ...func(*site.Config)) *Crawler {
	t.Helper()
	return &Crawler{
		Site: NewWith(t, mode, wire.Config{}, changes...), Seen: map[string]string{},
		IDs: map[string][]string{}, Asked: map[string][]string{},
	}
}

// Page reads a page that must be there.
func (c *Crawler) Page(path string) string {
	c.T.Helper()
	status, _, body := c.Fetch(path)
	if status != http.StatusOK {
		c.T.Fatalf("%s answers %d", path, status)
	}
	return body
}

// Has reads a page that must pass every check.
func (c *Crawler) Has(path string, checks ...string) string {
	c.T.Helper()
	body := c.Page(path)
	page := htmltest.Parse(body)
	for _, check := range checks {
		if !page.Has(check) {
			c.T.Errorf("%s has no %s", path, check)
		}
	}
	return body
}

// Send posts a form as the lesson's browser and looks where it leads.
func (c *Crawler) Send(path, form, to string) {
	c.T.Helper()
	req, err := http.NewRequestWithContext(
		c.T.Context(), http.MethodPost, c.URL+path, strings.NewReader(form),
	)
	Check(c.T, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Cookie", c.Cookies)
	res, err := c.Client.Do(req)
	Check(c.T, err)
	defer res.Body.Close()
	if got := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || got != to {
		c.T.Errorf("POST %s answers %d to %q, want %q", path, res.StatusCode, got, to)
	}
}
