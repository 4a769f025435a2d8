package wire

import (
	"fmt"
	"strings"
	"testing"
)

// Each response arrives at once and the server closes the connection. The fuzz
// target checks that pieces have the same result.
func TestReceive(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tt := range []struct{ name, answer, want string }{
		{"until close", ok + "\r\n{}", rec(ok+"\r\n{}", "")},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n{}", rec("HTTP/1.0 200 OK\r\n\r\n{}", "")},
		{"no reason", "HTTP/1.1 200\r\n\r\n{}", rec("HTTP/1.1 200\r\n\r\n{}", "")},
		{"bare line feeds", "HTTP/1.1 200 OK\nA: b\n\n{}", rec("HTTP/1.1 200 OK\nA: b\n\n{}", "")},
		{
			"order, case and spaces of fields", ok + "b:  1 \r\nA: 2\r\nb: 3\r\n\r\n",
			rec(ok+"b:  1 \r\nA: 2\r\nb: 3\r\n\r\n", ""),
		},
		{"length", ok + "Content-Length: 2\r\n\r\n{}", rec(ok+"Content-Length: 2\r\n\r\n{}", "")},
		{
			"length too short (29)", ok + "Content-Length: 1\r\n\r\n{}",
			rec(ok+"Content-Length: 1\r\n\r\n{", ""),
		},
		{
			"length too long (29)", ok + "Content-Length: 3\r\n\r\n{}",
			rec(ok+"Content-Length: 3\r\n\r\n{}", Reset),
		},
		{
			"length twice", ok + "Content-Length: 2\r\nContent-Length: 2, 2\r\n\r\n{}",
			rec(ok+"Content-Length: 2\r\nContent-Length: 2, 2\r\n\r\n{}", ""),
		},
		{
			"lengths differ", ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
			rec(ok+"Content-Length: 2\r\nContent-Length: 3\r\n\r\n", NotHTTP),
		},
		{
			"length negative", ok + "Content-Length: -1\r\n\r\n{}",
			rec(ok+"Content-Length: -1\r\n\r\n", NotHTTP),
		},
		{
			"length no number", ok + "Content-Length: 0x2\r\n\r\n{}",
			rec(ok+"Content-Length: 0x2\r\n\r\n", NotHTTP),
		},
		{
			"length beyond int64", ok + "Content-Length: 9223372036854775808\r\n\r\n{}",
			rec(ok+"Content-Length: 9223372036854775808\r\n\r\n", NotHTTP),
		},
		{
			"chunks", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nT: r\r\n\r\n",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n{}", ""),
		},
		{
			"chunks win over length",
			ok + "Content-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
			rec(ok+"Content-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n{}", ""),
		},
		{
			"chunk cut off", ok + "Transfer-Encoding: chunked\r\n\r\n9\r\n{}",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n{}", Reset),
		},
		{
			"last chunk missing", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n{}", Reset),
		},
		{
			"chunk size no number", ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n", NotHTTP),
		},
		{
			"chunk size huge", ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n", NotHTTP),
		},
		{
			"chunk extensions without end",
			ok + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 8192) + "\r\n",
			rec(ok+"Transfer-Encoding: chunked\r\n\r\n", NotHTTP),
		},
		{
			"other coding", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
			rec(ok+"Transfer-Encoding: gzip, chunked\r\n\r\n", NotHTTP),
		},
		{
			"gzip stays as it is (23)", ok + "Content-Encoding: gzip\r\n\r\n\x1f\x8b\x00",
			rec(ok+"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x00", ""),
		},
		{
			"gzip stream stays as it is",
			ok + "Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b",
			rec(ok+"Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b", ""),
		},
		{
			"bytes of all kinds (31)", ok + "\r\n\uFEFF\xff\x00\"\\ud800\"",
			rec(ok+"\r\n\uFEFF\xff\x00\"\\ud800\"", ""),
		},
		{
			"login page (29)", ok + "Content-Type: text/html\r\n\r\n<html>",
			rec(ok+"Content-Type: text/html\r\n\r\n<html>", ""),
		},
		{
			"interim heads",
			"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + ok + "\r\n{}",
			rec(ok+"\r\n{}", ""),
		},
		{
			"switching", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nabc",
			rec("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", ""),
		},
		{
			"redirect is not followed (17)", "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1/\r\n\r\n",
			rec("HTTP/1.1 307 X\r\nLocation: http://127.0.0.1/\r\n\r\n", ""),
		},
		{
			"stream of an error status",
			"HTTP/1.1 400 X\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n",
			rec("HTTP/1.1 400 X\r\nContent-Type: text/event-stream\r\n\r\n", "") +
				` | message "data: x\n\n"`,
		},
		{"nothing", "", "failed reset"},
		{"head cut off", "HTTP/1.1 200 OK\r\nA: b", rec("HTTP/1.1 200 OK\r\nA: b", Reset)},
		{"begin cut off", "HTT", rec("HTT", Reset)},
		{"SSH", "SSH-2.0-x\r\n", rec("SSH-2.0-x\r\n", NotHTTP)},
		{"one wrong byte", "\x15", rec("\x15", NotHTTP)},
		{"HTTP/2", "HTTP/2 200\r\n\r\n", rec("HTTP/2 200\r\n\r\n", NotHTTP)},
		{"no status", "HTTP/1.1 OK\r\n\r\n", rec("HTTP/1.1 OK\r\n\r\n", NotHTTP)},
		{"status of four digits", "HTTP/1.1 2000\r\n\r\n", rec("HTTP/1.1 2000\r\n\r\n", NotHTTP)},
		{"no field", ok + "no colon\r\n\r\n{}", rec(ok+"no colon\r\n\r\n", NotHTTP)},
		{
			"space before the colon", ok + "Content-Length : 2\r\n\r\n{}",
			rec(ok+"Content-Length : 2\r\n\r\n", NotHTTP),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts, _ := ask(t.Context(), serve(t, Limits{}, says(tt.answer)))
			if got := show(parts); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// rec returns the line of show for a response recorded as text that ends with
// class.
func rec(text string, class Class) string {
	s := fmt.Sprintf("received %q", text)
	if class != "" {
		s += " | failed " + string(class)
	}
	return s
}

func TestEveryStatusIsRecorded(t *testing.T) { // fault 30
	for status := 200; status <= 511; status++ {
		answer := fmt.Sprintf("HTTP/1.1 %d X\r\n\r\nbody", status)
		want := answer
		if status == 204 || status == 304 {
			want = strings.TrimSuffix(answer, "body")
		}
		parts, _ := ask(t.Context(), serve(t, Limits{}, says(answer)))
		if got := show(parts); got != rec(want, "") {
			t.Errorf("%d: %s", status, got)
		}
	}
}

func TestBodyLimit(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n\r\n"
	l := Limits{Body: 10}
	for _, framing := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", "HTTP/1.1 200 OK\r\n\r\n%[2]s",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
	} {
		for n, want := range map[int]Class{10: "", 11: TooLarge, 5000: TooLarge} {
			parts, _ := ask(t.Context(), serve(t, l, says(fmt.Sprintf(framing, n, strings.Repeat("x", n)))))
			got := ""
			if last := parts[len(parts)-1]; last.Kind == Failed {
				got = string(last.Failure.Class)
			}
			if body := Split(parts[0].Bytes).Body; got != string(want) || string(body) != "xxxxxxxxxx" {
				t.Errorf("%q, %d bytes: %q, %s", framing, n, body, show(parts))
			}
		}
	}
	if parts, _ := ask(t.Context(), serve(t, l, says(head))); show(parts) != rec(head, "") {
		t.Error(show(parts))
	}
}

func TestHeaderLimit(t *testing.T) {
	const begin, end = "HTTP/1.1 200 OK\r\nA: ", "\r\n\r\n"
	limit := DefaultLimits().Header
	fits := begin + strings.Repeat("x", limit-len(begin)-len(end)) + end
	if parts, _ := ask(t.Context(), serve(t, Limits{}, says(fits))); len(parts) != 1 ||
		len(parts[0].Bytes) != limit {
		t.Error(show(parts))
	}
	for name, answer := range map[string]string{
		"one more":            begin + "x" + fits[len(begin):],
		"many fields":         "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", limit/6) + "\r\n",
		"one endless line":    "HTTP/1.1 200 OK " + strings.Repeat("x", 2*limit),
		"interim heads share": "HTTP/1.1 100 C\r\n\r\n" + fits,
	} {
		parts, _ := ask(t.Context(), serve(t, Limits{}, says(answer)))
		if last := parts[len(parts)-1]; last.Kind != Failed || last.Failure.Class != TooLarge ||
			len(parts[0].Bytes) > limit {
			t.Errorf("%s: %s", name, show(parts))
		}
	}
	endless := strings.Repeat("HTTP/1.1 100 C\r\n\r\n", limit/18+1)
	if parts, _ := ask(t.Context(), serve(t, Limits{}, says(endless))); !strings.HasSuffix(show(parts),
		"failed too_large") {
		t.Errorf("endless interim heads: %s", show(parts))
	}
}

func TestChunkLinesAreNotFree(t *testing.T) {
	l := Limits{Header: 100, Body: 1000}
	answer := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
		strings.Repeat("1;aaaaaaaaaa\r\nx\r\n", 900) + "0\r\n\r\n"
	parts, _ := ask(t.Context(), serve(t, l, says(answer)))
	if !strings.HasSuffix(show(parts), "failed too_large") {
		t.Error(show(parts))
	}
	bytewise := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
		strings.Repeat("1\r\nx\r\n", 1000) + "0\r\n\r\n"
	if parts, _ := ask(t.Context(), serve(t, l, says(bytewise))); len(parts) != 1 {
		t.Errorf("one byte per chunk is legitimate: %s", show(parts))
	}
}
