package export

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// nasty are pieces that mean something to a shell, to curl, to printf or to a
// terminal.
func nasty() []string {
	return []string{
		`'`, `"`, "`touch pwned`", `$(touch pwned)`, `${HOME}`, `$TOKEN`, "\n", "\r\n", "\r", "\t", "\x00",
		`\`, `\'`, `\n`, `\000`,
		`%s`, `%n%d%%`, `@/etc/passwd`, `; touch pwned;`, `&& touch pwned`, `| sh`, `> pwned`, `!!`, `#`,
		`~`, `*`, `-d`, `--`, `=`,
		"\xff\xfe", "\xed\xa0\x80", "é", "日本", "🙂", "\u202e", "\u2028", "\x1b[31m", "\x7f", `{"a":1}`,
		"EOF\n", " ", `'\''`, `'"'"'`,
	}
}

func payload(r *rand.Rand) []byte {
	pieces, out := nasty(), []byte(nil)
	for range r.IntN(24) {
		out = append(out, pieces[r.IntN(len(pieces))]...)
	}
	return out
}

// replay runs a command in an empty folder and returns what the server got. It
// fails when the command did anything else there.
func replay(t *testing.T, server *recorder, command string, env ...string) received {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("sh")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(command)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "no_proxy=*"}, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run: %v\n%s\n%s", err, out, command)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Fatalf("the command left %v behind:\n%s", left, command)
	}
	return server.take(t)
}

type received struct {
	method string
	header http.Header
	body   []byte
}

type recorder struct {
	*httptest.Server
	requests chan received
}

func (r *recorder) take(t *testing.T) received {
	t.Helper()
	select {
	case got := <-r.requests:
		return got
	default:
		t.Fatal("nothing was sent")
		return received{}
	}
}

func record(t *testing.T) *recorder {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed: nothing to replay with")
	}
	r := &recorder{requests: make(chan received, 1)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.requests <- received{q.Method, q.Header, body}
	}))
	t.Cleanup(r.Close)
	return r
}

func frame(body []byte, fields ...string) wire.Frame {
	head := "POST /mcp HTTP/1.1\r\nHost: recorded.example\r\n" + strings.Join(append(fields, ""), "\r\n") +
		fmt.Sprintf("Content-Length: %d\r\nConnection: close\r\n\r\n", len(body))
	return wire.Frame{Head: []byte(head), Body: body}
}

func TestCurl_ReplaysTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	server := record(t)
	rng := rand.New(rand.NewPCG(2322, 2026))
	for i := range 200 {
		body := payload(rng)
		note := strings.Map(printable, string(payload(rng)))
		got := replay(t, server,
			Curl(frame(body, "Content-Type: application/json", "X-Note: a"+note+"z"), server.URL+"/mcp"))
		if !bytes.Equal(got.body, body) {
			t.Fatalf("payload %d: sent %q, recorded %q", i, got.body, body)
		}
		if got.header.Get("X-Note") != "a"+note+"z" {
			t.Fatalf("payload %d: header %q, recorded %q", i, got.header.Get("X-Note"), note)
		}
	}
}

// printable leaves what can stand in a header at all.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

func TestCurl_PipesALongBody(t *testing.T) {
	server := record(t)
	body := bytes.Repeat([]byte("don't 100% \\ "), 40_000)
	if got := replay(t, server,
		Curl(frame(body, "Content-Type: text/plain"), server.URL)); !bytes.Equal(got.body, body) {
		t.Errorf("%d bytes arrived, %d recorded", len(got.body), len(body))
	}
}

func TestCurl_SendsTheRecordedFieldsOnly(t *testing.T) {
	server := record(t)
	got := replay(t, server, Curl(frame([]byte("{}"), "Mcp-Method: tools/call", "X-Empty:",
		"@/etc/passwd: x", "no colon"), server.URL))
	var names []string
	for name := range got.header {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"Content-Length", "Mcp-Method", "X-Empty"}; !slices.Equal(names, want) {
		t.Errorf("fields %v, want %v", names, want)
	}
}

func TestCurl_KeepsTheOrderOfFields(t *testing.T) {
	command := Curl(frame([]byte("{}"), "Z: 1", "Content-Type: a/b", "A: 2"), "http://h/")
	if z, c, a := strings.Index(command, "'Z: 1'"), strings.Index(command,
		"'Content-Type: a/b'"), strings.Index(command, "'A: 2'"); z < 0 || c < z || a < c {
		t.Errorf("wrong order:\n%s", command)
	}
}

func TestCurl_ReadsSecretsFromTheShell(t *testing.T) {
	server := record(t)
	const masked = "****************"
	request := frame([]byte(`{"key":"`+masked+`","bin":"`+"\x00"+`"}`), "Authorization: Bearer "+masked)
	command := Curl(request, server.URL, Mask{Value: masked}, Mask{Value: "", Name: "X"},
		Mask{Value: "never", Name: "bad;name"})
	if strings.Contains(command, masked) {
		t.Fatalf("the mask is still there:\n%s", command)
	}
	got := replay(t, server, command, `TOKEN=s3'cr%st"`)
	if want := "{\"key\":\"s3'cr%st\"\",\"bin\":\"\x00\"}"; string(got.body) != want {
		t.Errorf("body %q, want %q", got.body, want)
	}
	if want := `Bearer s3'cr%st"`; got.header.Get("Authorization") != want {
		t.Errorf("Authorization %q, want %q", got.header.Get("Authorization"), want)
	}
}

func TestCurl_OtherMethods(t *testing.T) {
	server := record(t)
	for _, method := range []string{"GET", "DELETE", "POST"} {
		request := wire.Frame{Head: []byte(method +
			" /mcp HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\n")}
		if got := replay(t, server, Curl(request, server.URL)); got.method != method {
			t.Errorf("method %s, recorded %s", got.method, method)
		}
	}
}

func TestCurl_QuotesURL(t *testing.T) {
	server := record(t)
	for _, query := range []string{"?a=[1-3]&b={x,y}", "?q=$(touch+pwned)`touch+pwned`'", "/../a/./b",
		"?instances=a:v1,b:dead&next=b"} {
		if got := replay(t, server, Curl(frame([]byte("{}")), server.URL+query)); string(got.body) != "{}" {
			t.Errorf("%s: body %q", query, got.body)
		}
	}
	if command := Curl(frame(nil), "file:///etc/passwd"); !strings.Contains(command, "--proto =http,https") {
		t.Errorf("a file would be read:\n%s", command)
	}
}
