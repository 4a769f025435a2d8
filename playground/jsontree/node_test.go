package jsontree

import (
	"slices"
	"strings"
	"testing"
)

func TestNilNodeIsAbsent(t *testing.T) {
	var n *Node
	if n.Raw() != nil || n.Str() != "" || n.Get("a") != nil || n.At("a", "0") != nil || n.True() ||
		n.Len() != 0 || n.Has("a") || n.Duplicates() != nil || n.Lines() != 0 || Diff(n, nil) != nil {
		t.Error("a method of a nil Node found something")
	}
	if _, ok := n.Text(); ok {
		t.Error("Text of nil")
	}
	if _, ok := n.Int(); ok {
		t.Error("Int of nil")
	}
	if !Equal(nil, nil) || Equal(nil, parse(t, "null")) {
		t.Error("absent is not null")
	}
}

func TestNodeAccess(t *testing.T) {
	n := parse(t, `{"a":[10,{"":true}],"__proto__":null,"s":"x"}`)
	if !n.At("a", "1", "").True() || n.At("a", "2") != nil || n.At("a", "-1") != nil ||
		n.At("s", "0") != nil || n.At() != n {
		t.Error("At")
	}
	if !n.Has("__proto__") || n.Get("__proto__").Kind != Null || n.Has("b") || n.Len() != 3 ||
		n.Get("a").Len() != 2 {
		t.Error("Has, Get, Len")
	}
	if _, ok := n.Get("a").Text(); ok || n.Get("s").True() {
		t.Error("an array is no text, a string is not true")
	}
	if raw := n.Get("s").Raw(); cap(raw) != len(raw) {
		t.Error("appending to Raw would write into the source")
	}
}

func TestIntIsTheValueNotTheSpelling(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0e9": 0, "3": 3, "3.0": 3, "30e-1": 3, "0.3e1": 3, "-12E2": -1200, "1e18": 1e18,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "0e99999999999999999999": 0,
	} {
		if got, ok := parse(t, text).Int(); !ok || got != want {
			t.Errorf("%s = %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"1.5", "9223372036854775808", "-9223372036854775809", "1e400",
		"1e-1", "1e999999999",
		"1e99999999999999999999", strings.Repeat("9", 40), `"3"`, "true"} {
		if got, ok := parse(t, text).Int(); ok {
			t.Errorf("%s = %d", text, got)
		}
	}
}

func TestDuplicatesArePointers(t *testing.T) {
	n := parse(t, `{"a/b":{"x":1,"x":2,"x":3},"l":[0,{"~":1,"~":2}],"a/b":1,"":0,"":0}`)
	want := []string{"/a~1b", "/", "/a~1b/x", "/l/1/~0"}
	if got := n.Duplicates(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDuplicatesStopAtAHundred(t *testing.T) {
	long := strings.Repeat("k", 4096)
	n := parse(t, `{"`+long+`":[`+strings.Repeat(`{"d":1,"d":2},`, 2000)+`0]}`)
	if got := len(n.Duplicates()); got == 0 || got > 20 {
		t.Errorf("%d pointers of 4 KiB", got)
	}
	n = parse(t, `[`+strings.Repeat(`{"d":1,"d":2},`, 2000)+`0]`)
	if got := len(n.Duplicates()); got != 100 {
		t.Errorf("%d pointers", got)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                `""`,
		"<b> & \u2028":    "\"<b> & \u2028\"",
		"\"\\/\b\f\n\r\t": `"\"\\/\u0008\u000c\n\r\t"`,
		"\x00\x1f\x7f":    "\"\\u0000\\u001f\x7f\"",
		"a\xffb":          "\"a\uFFFDb\"",
		"\b":              `"\u0008"`,
		"\u202e😀":         "\"\u202e😀\"",
	} {
		if got := string(Quote(in)); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestTextDecodesEveryEscape(t *testing.T) {
	if got, want := parse(t, `"\"\\\/\b\f\n\r\t\u00e9\u00E9"`).Str(), "\"\\/\b\f\n\r\téé"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestKindsHaveTheNamesOfJSONSchema(t *testing.T) {
	var names []string
	for k := Invalid; k <= Object; k++ {
		names = append(names, k.String())
	}
	if got := strings.Join(names, " "); got != "absent null boolean number string array object" {
		t.Error(got)
	}
}

func TestLines_CountsEachValueAndClosingBracket(t *testing.T) {
	for src, want := range map[string]int{
		"1": 1, "{}": 1, "[1,2]": 4, `{"a":1,"b":["x",{},{"c":null}],"b":[]}`: 11,
	} {
		if got := parse(t, src).Lines(); got != want {
			t.Errorf("%s: %d lines, want %d", src, got, want)
		}
	}
}
