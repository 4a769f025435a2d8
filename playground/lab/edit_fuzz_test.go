package lab_test

import (
	"bytes"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// FuzzEdit: any body can be compared, reset part by part and sent, and a part
// that was not edited follows the right request.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{"", "{", "[]", `{"params":[]}`, `{"params":{"_meta":7,"requestState":"x"}}`,
		`{"id":3,"id":3}`, "{\"\":\"\xff\"}", `{"params":{"arguments":{"fields":[1]}}}`} {
		f.Add([]byte(s), "X-A")
	}
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		req, right := rightRequest(t, "abcdef")
		_, other := rightRequest(t, "ghijkl")
		e := lab.Edit{Header: append(right.Header, wire.Field{Name: name, Value: "b"}), Body: body}
		lab.Changes(right, e)
		for _, part := range lab.Parts() {
			e.Reset(part, right)
		}
		if got := e.Reset(lab.PartBody, right); !bytes.Equal(got.Body, right.Body) {
			t.Fatalf("reset to %s", got.Body)
		}
		if moved := e.Rebase(right, other).Rebase(other, right); lab.Changes(right, right) != nil ||
			len(lab.Changes(right, moved)) != len(lab.Changes(right, e)) {
			t.Fatalf("%q became %q", body, moved.Body)
		}
		if frame, err := wire.Encode(e.Request(req)); err == nil && !bytes.Equal(frame.Body, body) {
			t.Fatalf("sent %q for %q", frame.Body, body)
		}
	})
}
