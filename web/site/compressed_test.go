package site_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// zipping compresses the body of a response.
type zipping struct {
	http.ResponseWriter
	to io.Writer
}

func (z zipping) WriteHeader(status int) {
	z.Header().Set("Content-Encoding", "gzip")
	z.ResponseWriter.WriteHeader(status)
}

func (z zipping) Write(b []byte) (int, error) { return z.to.Write(b) }

// zipped compresses all responses of a server with a body.
func zipped(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := gzip.NewWriter(w)
		h.ServeHTTP(zipping{w, to}, r)
		_ = to.Close()
	})
}

// TestCompressed: a server that compresses its responses in spite of the request is used
// and hinted at, and the page shows the bytes as they came.
func TestCompressed(t *testing.T) {
	t.Parallel()
	modern := mcptest.Tools(func(mcptest.Message, *http.Request) mcptest.Answer {
		answer := mcptest.Text(mcptest.Greeting)
		answer.Stream = true
		return answer
	}, "greet")
	for name, h := range map[string]http.Handler{
		"modern": modern, "legacy": mcptest.Legacy(mcptest.Answer{Status: 400}),
	} {
		old := httptest.NewServer(zipped(h))
		defer old.Close()
		s := sitetest.New(t, app.Local)
		s.ConnectTo(old.URL).Has(t, `main[data-target][data-status="connected"]`, `[data-era="`+name+`"]`)
		s.CallTool(s.Last, "greet")
		call := s.Last
		s.Runner.Wait(t.Context(), strings.TrimPrefix(call, "/x/"))
		s.Page(call).Has(t, `[data-status="complete"]`, `[data-result] "`+mcptest.Greeting+`"`)
		if name == "modern" {
			s.Page(call+"?panel=rules").Has(t, `[data-rule="media-type"][data-verdict="hint"]`)
			exact := s.Page(call + "?message=response&round=1&view=exact")
			exact.Has(t, `[data-frame="response"] "compressed (gzip)"`, `[data-frame="response"] pre "\x8b"`)
		}
	}
}
