package stage

import "testing"

func TestEvent_OneLineEach(t *testing.T) {
	t.Parallel()
	const want = "event: step\nid: 1\ndata: <p>a\ndata: b</p>\n\n"
	if got := string(event("step", "1", []byte("<p>a\nb</p>"))); got != want {
		t.Errorf("got %q", got)
	}
}
