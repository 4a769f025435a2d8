package wire

import (
	"fmt"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct{ in, head, body string }{
		{"A\r\n\r\nbody", "A\r\n\r\n", "body"},
		{"A\n\nbody", "A\n\n", "body"},
		{"A\r\n\nbody\n\n", "A\r\n\n", "body\n\n"},
		{"A\n\r\nb", "A\n\r\n", "b"},
		{"A\r\nB", "A\r\nB", ""},
		{"A\r\n\r\n", "A\r\n\r\n", ""},
		{"", "", ""},
		{"\n{}\n\n", "\n", "{}\n\n"}, // a line
	} {
		f := Split([]byte(tt.in))
		if string(f.Head) != tt.head || string(f.Body) != tt.body || string(f.Bytes()) != tt.in {
			t.Errorf("Split(%q) = %q, %q", tt.in, f.Head, f.Body)
		}
	}
	in := []byte("A\n\nbody")
	_ = append(Split(in).Head, "XXXX"...)
	if string(in) != "A\n\nbody" {
		t.Error("appending to the head writes into the body")
	}
	if line := Line([]byte("{}\n")); !line.IsLine() || !Split(line.Bytes()).IsLine() ||
		Split([]byte("A\n\n{}")).IsLine() {
		t.Errorf("%q", line.Bytes())
	}
}

func TestParseHead(t *testing.T) {
	h, err := ParseHead([]byte("HTTP/1.1 200 OK\r\nb: 1\r\nA:\t2 \r\nB:\r\nFolded: a\r\n  b\r\n\tc\r\n" +
		"Content-type:  Text/Event-Stream ; charset=utf-8\r\n\r\nignored"))
	want := `{HTTP/1.1 200 OK 200 [{b 1} {A 2} {B } {Folded a  b c} {Content-type Text/Event-Stream ; ` +
		`charset=utf-8}]}`
	if got := fmt.Sprint(h); err != nil || got != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	if h.Get("a") != "2" || h.Get("B") != "1" || len(h.Values("b")) != 2 || h.Get("c") != "" ||
		h.MediaType() != "text/event-stream" || !h.IsStream() {
		t.Error("access by name")
	}
	for in, want := range map[string]string{
		"":                                    "{ 0 []}",
		"GET / HTTP/1.1 x\r\n\r\n":            "{GET / HTTP/1.1 x 0 []}",
		"HTTP/1.1 99 X\r\n\r\n":               "{HTTP/1.1 99 X 0 []}",
		"HTTP/1.1 +20 X\r\n\r\n":              "{HTTP/1.1 +20 X 0 []}",
		"HTTP/3 200 X\r\n\r\n":                "{HTTP/3 200 X 0 []}",
		"HTTP/1.1 200 X\r\nA: b\r\nC":         "{HTTP/1.1 200 X 200 [{A b}]}",
		"HTTP/1.1 200 X\r\n folded\r\n\r\n":   "{HTTP/1.1 200 X 200 []}",
		"HTTP/1.1 200 X\r\nA: b\r\n":          "{HTTP/1.1 200 X 200 [{A b}]}",
		"HTTP/1.1 200 X\r\n: b\r\n\r\n":       "{HTTP/1.1 200 X 200 []}",
		"HTTP/1.1 200 X\r\nA: b\r\n\x00: c\n": "{HTTP/1.1 200 X 200 [{A b}]}",
	} {
		if h, err := ParseHead([]byte(in)); err == nil || fmt.Sprint(h) != want {
			t.Errorf("ParseHead(%q) = %v, %v", in, h, err)
		}
	}
}

func TestHead_AcceptsCoding(t *testing.T) {
	for _, tt := range []struct {
		accepts, coding string
		want            bool
	}{
		{"identity", "gzip", false}, {"gzip, br", "gzip", true}, {"GZIP;q=0.5", "gzip", true},
		{"gzip;q=0", "gzip", false}, {"gzip; q=0.00, *", "gzip", false}, {"*", "br", true},
		{"*;q=0, br", "br", true}, {"*;q=0", "br", false}, {"gzip", "gzip, br", false}, {"", "gzip", false},
		{"gzip;q=0.01", "gzip", true},
	} {
		h := Head{Fields: []Field{{"Accept-Encoding", tt.accepts}}}
		if got := h.AcceptsCoding(tt.coding); got != tt.want {
			t.Errorf("%q accepts %q: %v", tt.accepts, tt.coding, got)
		}
	}
	if !(Head{}).AcceptsCoding("gzip") {
		t.Error("without the field every coding is accepted")
	}
	for value, want := range map[string]string{"identity": "", "gzip": "gzip", "": ""} {
		if got := (Head{Fields: []Field{{"Content-Encoding", value}}}).Coding(); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
}
