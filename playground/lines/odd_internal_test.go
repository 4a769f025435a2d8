package lines

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestQuote_CutsNoCharacter: the sentence has no byte of a character that is cut off.
func TestQuote_CutsNoCharacter(t *testing.T) {
	for before := range 4 {
		line := strings.Repeat("a", shownBytes-before) + "世界"
		if got := quote([]byte(line)); strings.Contains(got, "0x") || !strings.HasSuffix(got, "…”") {
			t.Errorf("%d bytes before: %s", before, got)
		}
	}
	if got := quote([]byte("d\xe9")); got != "“d⟨0xE9⟩”" { // not cut, but Latin-1
		t.Error(got)
	}
}

// newFlightOf returns a process with one request.
func newFlightOf() (*process, *flight) {
	servers := New(Config{Now: time.Now})
	p := newProcess(&command{of: servers}, 1, nil, nil)
	f := newFlight(wire.DefaultLimits())
	p.channel.AskUnknown(f)
	return p, f
}

// TestUnfinished_CutInACharacter: the part of a response that ends within a character is no
// line in another encoding. More of it will come.
func TestUnfinished_CutInACharacter(t *testing.T) {
	p, f := newFlightOf()
	const response = `{"jsonrpc":"2.0","id":1,"result":{"a":"世`
	for cut := range 3 {
		begun := []byte(response[:len(response)-cut])
		for range 3 {
			if failure := p.unfinished(f, begun); failure != nil {
				t.Fatalf("without %d bytes: %s", cut, failure.Detail)
			}
		}
	}
}

// TestOddLines_Unfinished: a line of a message in another form fails once nothing has
// followed it.
func TestOddLines_Unfinished(t *testing.T) {
	var o oddLines
	line := []byte("Content-Length: 36\r\n")
	if failure := o.read(line, playground.FaultOfLine(line)); failure != nil {
		t.Fatal(failure.Detail)
	}
	if failure := o.unfinished(); failure != nil {
		t.Fatal("at once: " + failure.Detail)
	}
	if failure := o.unfinished(); failure == nil || failure.Class != wire.BadLine {
		t.Error(failure)
	}
}
