package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// inNetwork is the name of a process in a trusted network, at which phones reach it.
const inNetwork = "192.0.2.7:2322"

// askAs sends a request to a process by its name in the network.
func askAs(t *testing.T, method, address string, form url.Values) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cookies.Cookies(req.URL) { // a jar goes by the name
		req.AddCookie(c)
	}
	req.Host = inNetwork
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 400 {
		t.Fatalf("%s %s: %s, %v", method, address, res.Status, err)
	}
	return string(body)
}

var followLink = regexp.MustCompile(`href="http://` + inNetwork + `(/follow/[0-9a-z-]+)"`)

// followTalk plays a talk, each step at another process than the one before. The
// followers of every process see it, and its end.
func followTalk(t *testing.T, bases []string) {
	path, err := send(bases[0], "/demos/azure-devops", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := await(bases[1], path); err != nil {
		t.Fatal(err)
	}
	askAs(t, http.MethodPost, bases[1]+path+"/talk", url.Values{"do": {"start"}})
	link := followLink.FindStringSubmatch(askAs(t, http.MethodGet, bases[2]+path+"/talk", nil))
	if link == nil {
		t.Fatal("no link for followers")
	}
	followers := make([]*bufio.Scanner, len(bases))
	for i, base := range bases {
		res, err := http.Get(base + link[1] + "/events")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		followers[i] = bufio.NewScanner(res.Body)
		followers[i].Buffer(nil, 1<<20)
	}
	hear := func(words string) {
		t.Helper()
		for i, f := range followers {
			heard := false
			for !heard && f.Scan() {
				heard = strings.Contains(f.Text(), words)
			}
			if !heard {
				t.Fatalf("a follower at process %d never hears %s: %v", i, words, f.Err())
			}
		}
	}
	hear(`data-step="1"`)
	for n := 2; n <= 3; n++ {
		form := url.Values{"do": {"next"}, "step": {fmt.Sprint(n - 1)}}
		if _, err := send(bases[n%len(bases)], path, form); err != nil {
			t.Fatal(err)
		}
		hear(fmt.Sprintf(`data-step="%d"`, n))
	}
	askAs(t, http.MethodPost, bases[1]+path+"/talk", url.Values{"do": {"end"}})
	hear("event: ended")
}
