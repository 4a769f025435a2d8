package stdio

import "sync"

// tail keeps the last bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

// maxTail is how much a tail keeps, in bytes.
const maxTail = 64 << 10

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(len(p)-maxTail, 0):]...)
	if over := len(t.kept) - maxTail; over > 0 || len(p) > maxTail {
		t.kept, t.cut = append(t.kept[:0], t.kept[max(over, 0):]...), true
	}
	return len(p), nil
}

// text returns the kept text, and whether more came before it.
func (t *tail) text() (kept string, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept), t.cut
}
