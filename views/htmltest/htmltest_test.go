package htmltest_test

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

const page = `<!doctype html><html><head><title>Call</title></head><body><main data-status="waiting">
<h1>The <b>first</b>
call</h1><p>One</p><p>two</p><noscript><button>Preview</button></noscript>
<li data-round="1" data-outcome="complete">it said &#34;no&#34; &lt;b&gt;</li>
<li data-round="2"><a href="/x?a=1&amp;b=2">second</a>.</li></main></body></html>`

func TestHas(t *testing.T) {
	p := htmltest.Parse(page)
	for check, want := range map[string]bool{
		`main`:                              true,
		`main[data-status=waiting]`:         true,
		`[data-status="complete"]`:          false,
		`"The first call"`:                  true,
		`"the first call"`:                  false,
		`"One two"`:                         true,
		`"second."`:                         true,
		`h1 "first call"`:                   true,
		`h1 "One"`:                          false,
		`li "it said "no" <b>"`:             true,
		`"said "no""`:                       true,
		`[data-round="1"][data-outcome]`:    true,
		`[data-round="2"][data-outcome]`:    false,
		`[data-round="2"] "second"`:         true,
		`[data-round="1"] "second"`:         false,
		`[href="/x?a=1&b=2"]`:               true,
		`button "Preview"`:                  true,
		`main title`:                        false,
		`main > h1, h2`:                     true,
		`[data-outcome="complete"] "no"`:    true,
		`title "Call"`:                      true,
		`"data-status"`:                     false,
		`li:not([data-outcome]) "it said"`:  false,
		`li:has(a) "second"`:                true,
		`[data-round="2"] a[href^="/x?a="]`: true,
	} {
		if got := p.Has(check); got != want {
			t.Errorf("Has(%s) = %t", check, got)
		}
	}
}

func TestFind_NoSuchElement(t *testing.T) {
	for _, check := range []string{"data-finish", "Nothing was sent", "div data-x", "[x",
		"main, data-x > p"} {
		t.Run(check, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("the check was accepted")
				}
			}()
			htmltest.Parse(page).Has(check)
		})
	}
	htmltest.Parse(page).Has("li:nth-child(n+4):not(.a, b) svg, ol > [data-x='a b']")
}

func TestForm(t *testing.T) {
	p := htmltest.Parse(`<form id="f"><input name="a" value="1&amp;2"><input type="hidden" name="b">
<input type="checkbox" name="c" value="x" checked><input type="checkbox" name="c" value="y">
<select name="d"><option value="p">P<option value="q" selected>Q</select>
<select name="e"><option value="">none<option value="z"></select>
<textarea name="t">
one
&lt;two</textarea><button name="do" value="send">Send</button></form><input name="other">`)
	if got := p.Form("#f").Encode(); got != "a=1%262&b=&c=x&d=q&e=&t=one%0A%3Ctwo" {
		t.Error(got)
	}
}

func TestValues(t *testing.T) {
	p := htmltest.Parse(page)
	if got := p.Values("li", "data-round"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("rounds %q", got)
	}
	if got := p.Value("a", "href") + p.Value("h1", "href"); got != "/x?a=1&b=2" {
		t.Errorf("href %q", got)
	}
	if got := p.Pairs("li", "data-round", "data-outcome"); len(got) != 1 || got["1"] != "complete" {
		t.Errorf("pairs %q", got)
	}
	if got := p.Texts("li"); !slices.Equal(got, []string{`it said "no" <b>`, "second."}) {
		t.Errorf("texts %q", got)
	}
	if n := len(p.Find(`p`)); n != 2 {
		t.Errorf("%d paragraphs", n)
	}
}
