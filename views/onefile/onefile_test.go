package onefile

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// recordings are sessions as files, those of the storybook.
const recordings = "../testdata/storybook/recordings/"

func recording(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(recordings + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func imported(t *testing.T, data []byte) session.Session {
	t.Helper()
	n, err := export.Import(data, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shown returns a share of a kind of a whole session.
func shown(n session.Session, k share.Kind) share.View {
	v := share.View{Kind: k, Of: 1}
	for i := range n.Exchanges {
		v.Shown = append(v.Shown, i+1)
	}
	return v
}

func made(t *testing.T, n session.Session, v share.View) []byte {
	t.Helper()
	page, err := New(t.Context(), input(t, n, v))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func input(t *testing.T, n session.Session, v share.View) Input {
	t.Helper()
	keys, err := seal.Load(func(string) string { return "" }, recordings)
	if err != nil {
		t.Fatal(err)
	}
	return Input{
		View: v, Session: n, Instances: func(playground.Exchange) string { return "a:v1,b:v1" },
		Explain: func(state string) seal.Explanation {
			return seal.Explain(state, keys, n.Exchanges[0].Created)
		},
		Opens: func(playground.Exchange) bool { return true }, Most: 8 << 20,
	}
}

// elements returns the elements of a page, with those that are packed in it.
func elements(t *testing.T, page []byte) []*html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var list []*html.Node
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		list = append(list, n)
		if n.Data == "script" && attr(n, "data-packed") != "" {
			raw, err := base64.StdEncoding.DecodeString(n.FirstChild.Data)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, elements(t, append([]byte("<!DOCTYPE html>"), text...))...)
		}
	}
	return list
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// check reports what a page of one file must not have: what loads or runs something, ids
// that are not of one element, and links that lead nowhere.
func check(t *testing.T, page []byte) {
	t.Helper()
	ids, links, scripts := map[string]int{}, map[string]bool{}, 0
	policy := Policy(page)
	for _, n := range elements(t, page) {
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
		for _, a := range n.Attr {
			ours := n.Data == "link" && a.Key == "href" && attr(n, "rel") == "icon"
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", strings.HasPrefix(a.Key, "hx-"):
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			case a.Key == "src" && !isData(a.Val), ours && !strings.HasPrefix(a.Val, "data:"):
				t.Errorf("<%s> loads %.60q", n.Data, a.Val)
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				links[a.Val[1:]] = true
			case a.Key == "href" && !ours && !strings.HasPrefix(a.Val, "https://"):
				t.Errorf("<%s> leads to %q", n.Data, a.Val)
			}
		}
		switch n.Data {
		case "script", "style":
			if kind := attr(n, "type"); kind == "" {
				scripts++
				if !strings.Contains(policy, digest(n.FirstChild.Data)) {
					t.Errorf("the policy does not have the digest of <%s>: %s", n.Data, policy)
				}
			} else if kind != "application/json" && kind != "application/octet-stream" {
				t.Errorf("a script of type %q", kind)
			}
		case "iframe", "object", "embed", "form", "input", "base", "template", "frame":
			t.Errorf("the page has <%s>", n.Data)
		}
	}
	if scripts != 2 {
		t.Errorf("%d scripts and styles", scripts)
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for id := range links {
		first := strings.HasPrefix(id, "x=") && !strings.Contains(id, "&") // the first Round of a call
		if ids[id] == 0 && id != startAddress && !first {
			t.Errorf("a link leads to %q, which is nowhere", id)
		}
	}
}

func TestNew_EveryRecording(t *testing.T) {
	files, err := filepath.Glob(recordings + "*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if name == "state-keys.json" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			n := imported(t, recording(t, name))
			check(t, made(t, n, shown(n, share.KindExchange)))
			if strings.HasPrefix(name, "check-") {
				v := shown(n, share.KindBoard)
				v.Check = true
				check(t, made(t, n, v))
			}
			if len(n.Exchanges) == 2 {
				check(t, made(t, n, shown(n, share.KindCompare)))
			}
		})
	}
}

// TestNew_HasEveryRoundAndPanel: each is an element, with and without script.
func TestNew_HasEveryRoundAndPanel(t *testing.T) {
	n := imported(t, recording(t, "azure-devops.json"))
	v := shown(n, share.KindExchange)
	v.Round, v.Panel = 2, "rules"
	page := made(t, n, v)
	ids := map[string]bool{}
	for _, e := range elements(t, page) {
		ids[attr(e, "id")] = true
	}
	for round := 1; round <= 3; round++ {
		for _, address := range []string{"round=%d", "round=%d&view=exact", "panel=picture&round=%d",
			"panel=state&round=%d", "panel=rules&round=%d", "panel=timing&round=%d",
			"message=request&round=%d", "message=response&round=%d"} {
			if id := fmt.Sprintf(address, round); !ids[id] {
				t.Errorf("nothing has the address %s", id)
			}
		}
	}
	if want := `data-start="panel=rules&amp;round=2"`; !bytes.Contains(page, []byte(want)) {
		t.Errorf("it does not open with %s", want)
	}
	if most := 400_000; len(page) > most {
		t.Errorf("%d bytes, more than %d", len(page), most)
	}
	back := imported(t, page)
	first, _ := export.JSON(n)
	if again, err := export.JSON(back); err != nil || !bytes.Equal(first, again) {
		t.Errorf("another recording came back: %v", err)
	}
}

// TestNew_HostileTextRunsNowhere: every text of a recording is one that tries to become
// an element, to end one, or to run.
func TestNew_HostileTextRunsNowhere(t *testing.T) {
	for _, word := range []string{
		`</script><script>alert(1)</script>`, `<!--<script>`, `--><img src=x onerror=alert(1)>`,
		`"><svg onload=alert(1)>`, `' onmouseover='alert(1)`, "\u2028alert(1)\u2029", `</style><style>*{}`,
		`</title><base href=//evil.example>`, `javascript:alert(1)`, `https://evil.example/x.png`,
		`</textarea></pre></main><iframe srcdoc=x>`, `<script type="application/json" id="recording">`,
		"&lt;script&gt;", `]]><a xlink:href="javascript:alert(1)">`,
	} {
		t.Run(word, func(t *testing.T) {
			n := imported(t, recording(t, "azure-devops.json"))
			n.Title, n.Note = word, word
			for i := range n.Exchanges {
				x := &n.Exchanges[i]
				x.Target.Name = word
				x.Call.Params = swap(x.Call.Params, word)
				for k := range x.Log {
					x.Log[k].Data = swap(x.Log[k].Data, word)
				}
			}
			for _, k := range []share.Kind{share.KindExchange, share.KindBoard} {
				page := made(t, n, shown(n, k))
				check(t, page)
				back := imported(t, page)
				sent, was := back.Exchanges[0].Log[1].Data, n.Exchanges[0].Log[1].Data
				swapped := !bytes.Contains(sent, []byte("update_work_item"))
				if back.Title != word || !bytes.Equal(sent, was) || !swapped {
					t.Errorf("it came back as %q: %s", back.Title, sent)
				}
			}
		})
	}
}

// swap returns a message of the Azure DevOps sample with a word in place of its texts.
func swap(data []byte, word string) []byte {
	encoded, _ := json.Marshal(word) // a string
	quoted := string(encoded[1 : len(encoded)-1])
	for _, text := range []string{"Resolving Bug #4522 requires a resolution. How was this bug resolved?",
		"resolution", "duplicate_of", "update_work_item", "Duplicate", "Work item ID of the original bug",
		"a/v1", "b/v1"} {
		with := quoted
		if strings.Contains(text, "/v1") || !strings.Contains(string(data), `"jsonrpc"`) {
			with = strings.NewReplacer("\n", " ", "\u2028", " ", "\u2029", " ").Replace(word)
		}
		if bytes.Contains(data, []byte(`"`+text+`"`)) {
			with = quoted
		}
		data = bytes.ReplaceAll(data, []byte(text), []byte(with))
	}
	return data
}

func TestNew_TooLarge(t *testing.T) {
	n := imported(t, recording(t, "azure-devops.json"))
	in := input(t, n, shown(n, share.KindExchange))
	for _, most := range []int{0, 1000, 100_000} {
		in.Most = most
		if page, err := New(t.Context(), in); !errors.Is(err, ErrTooLarge) || page != nil {
			t.Errorf("%d bytes: %d, %v", most, len(page), err)
		}
	}
}

// TestNew_PacksTheCallsOfALargeBoard: what is packed has the same elements, which check
// unpacks, and the page says without a script that they are there.
func TestNew_PacksTheCallsOfALargeBoard(t *testing.T) {
	n := imported(t, recording(t, "check-good.json"))
	v := shown(n, share.KindBoard)
	v.Check = true
	page := made(t, n, v)
	packed, views, back, rounds := 0, 0, 0, map[string]bool{}
	for _, e := range elements(t, page) {
		switch {
		case attr(e, "data-packed") != "" && e.Data == "script":
			packed++
		case attr(e, "data-bench") == "" && e.Data == "section" && attr(e, "data-x") != "":
			rounds[attr(e, "data-x")] = true
			views++
		case attr(e, "href") == "#"+startAddress:
			back++
		}
	}
	if views == 0 || back != views {
		t.Errorf("%d of %d rounds lead back to the board", back, views)
	}
	if packed == 0 || !bytes.Contains(page, []byte("<noscript>")) {
		t.Errorf("nothing is packed in %d bytes of %d calls", len(page), len(n.Exchanges))
	}
	if len(rounds) != len(n.Exchanges) {
		t.Errorf("%d of %d calls can be opened", len(rounds), len(n.Exchanges))
	}
}

// TestAdd_RefusesWhatCouldRun: an element or an attribute of a component that could load
// or run something makes no file.
func TestAdd_RefusesWhatCouldRun(t *testing.T) {
	for _, text := range []string{
		`<script>x</script>`, `<p onclick="x">`, `<p style="x">`, `<img src="https://h/x.png">`, `<form>`,
		`<iframe src="data:image/png,">`, `<link rel="stylesheet" href="x">`, `<meta>`, `<base href="/">`,
		`<img src="data:text/html,x">`, `<object>`, `<input>`, `<foreignobject>`, `<img srcset="x">`,
		`<style>`, `<svg><animate attributeName="href">`, `<template>`, `<math>`, `<use href="#x">`,
	} {
		w := writer{used: used{}, most: 1 << 20}
		if err := w.add(view{address: "start"}, []byte(text)); !errors.Is(err, errUnsafe) {
			t.Errorf("%s: %v, %s", text, err, w.String())
		}
	}
}

func TestAdd_Links(t *testing.T) {
	v := view{address: "round=2&x=3", x: 3, n: 2, prefix: "p-"}
	const away = ` rel="noreferrer" target="_blank">x</a>`
	for href, want := range map[string]string{
		`?round=2`: `<a href="#round=2">x</a>`,
		`?x=3&amp;round=1&amp;panel=rules#drawer`: `<a href="#panel=rules&amp;round=1&amp;x=3">x</a>`,
		`?messages=all&amp;round=1#also-1-2`:      `<a href="#at=also-1-2&amp;round=1">x</a>`,
		``:                                        `<a href="#start">x</a>`,
		`#list`:                                   `<a href="#p-list">x</a>`,
		`#m-2-request`:                            `<a href="#message=request&amp;round=2&amp;x=3">x</a>`,
		`/learn/why`:                              `<span>x</span>`,
		`javascript:alert(1)`:                     `<span>x</span>`,
		`https://h.example/`:                      "<a href=\"https://h.example/\"" + away,
	} {
		w := writer{used: used{}, most: 1 << 20}
		if err := w.add(v, []byte(`<a href="`+href+`">x</a>`)); err != nil || w.String() != want {
			t.Errorf("%s: %s, want %s (%v)", href, w.String(), want, err)
		}
	}
	w := writer{used: used{}, most: 1 << 20}
	if err := w.add(v, []byte(`<svg><a href="/x"><path d="M0"/></a></svg>`)); err != nil ||
		w.String() != `<svg><g><path d="M0"/></g></svg>` {
		t.Errorf("in a drawing: %s, %v", w.String(), err)
	}
}

func TestSheet(t *testing.T) {
	u := used{"p": true, ".a": true, ".b": true, "[open": true, "html": true}
	for css, want := range map[string]string{
		"/* x */ p { color: red; }":                         "p{color:red}",
		".a, .none { margin: 0 }":                           ".a{margin:0}",
		".a > .none p { margin: 0 }":                        "",
		".a:not(.none) { margin: 0 }":                       ".a:not(.none){margin:0}",
		".a:is(.none, .b) { margin: 0 }":                    ".a:is(.none, .b){margin:0}",
		"p[open], p[data-x=\"a,b\"] { margin: 0 }":          "p[open]{margin:0}",
		":root { --x: light-dark(#fff, #000); }":            ":root{--x:light-dark(#fff, #000)}",
		"@media print { .none { x: y } p { x: y } }":        "@media print{p{x:y}}",
		"@media print { .none { x: y } }":                   "",
		"@keyframes k { from { x: y } }":                    "@keyframes k{from { x:y }}",
		".a::after { content: \"} {\" } .b { x: y }":        ".a::after{content:\"} {\"}.b{x:y}",
		"table { x: y } html p { x: y } *, p::before {x:y}": "html p{x:y}*,p::before{x:y}",
	} {
		if got := u.sheet(css); got != want {
			t.Errorf("%s\n%s, want\n%s", css, got, want)
		}
	}
}
