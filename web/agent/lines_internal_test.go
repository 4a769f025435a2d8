package agent

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestServeLines_IDInUse: a request with the id of one in progress is refused, and the
// first one gets its answer.
func TestServeLines_IDInUse(t *testing.T) {
	release := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-release
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	in, client := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- ServeLines(t.Context(), h, "h", in, out) }()
	const line = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n"
	lines := bufio.NewReader(answers)
	for _, want := range []string{`"code":-32600`, `"result":{}`} {
		if want == `"result":{}` {
			close(release)
		} else if _, err := io.WriteString(client, line+line); err != nil {
			t.Fatal(err)
		}
		got, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%q, %v, want %s", got, err, want)
		}
	}
	_ = client.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
