package stage

import (
	"context"
	"errors"
	"testing"
)

// TestRooms_OneWatchForAll: the first to enter starts the watch of a talk, and the last to
// leave ends it.
func TestRooms_OneWatchForAll(t *testing.T) {
	t.Parallel()
	var s rooms
	started, ended := make(chan string, 3), make(chan string, 3)
	enter := func(code string) (*room, func()) {
		return s.enter(code, func(ctx context.Context, _ *room) {
			started <- code
			<-ctx.Done()
			ended <- code
		})
	}
	one, leaveOne := enter("a")
	two, leaveTwo := enter("a")
	other, leaveOther := enter("b")
	if one != two || one == other {
		t.Error("a talk has two rooms, or two talks have one")
	}
	<-started
	<-started
	leaveOne()
	leaveOther()
	if code := <-ended; code != "b" {
		t.Errorf("the watch of %s ended first", code)
	}
	leaveTwo()
	if code := <-ended; code != "a" || len(s.open) != 0 || len(started) != 0 {
		t.Errorf("%s ended, %d rooms and %d watches are left", code, len(s.open), len(started))
	}
	again, leave := enter("a")
	defer leave()
	if again == one {
		t.Error("a room that was left is entered again")
	}
}

// TestRoom_KeepsWhatIsSeen: who follows keeps the step while the storage is away, and a
// step that is seen does not come again.
func TestRoom_KeepsWhatIsSeen(t *testing.T) {
	t.Parallel()
	away, gone := errors.New("away"), errors.New("gone")
	for _, tt := range []struct {
		name    string
		shown   []sight
		id      string
		err     error
		changed bool // by the last one
	}{
		{"a first step", []sight{{id: "1"}}, "1", nil, true},
		{"the same again", []sight{{id: "1"}, {id: "1"}}, "1", nil, false},
		{"the next", []sight{{id: "1"}, {id: "2"}}, "2", nil, true},
		{"away at first", []sight{{err: away}}, "", away, true},
		{"back", []sight{{err: away}, {id: "1"}}, "1", nil, true},
		{"away later", []sight{{id: "1"}, {err: away}}, "1", nil, false},
		{"the end", []sight{{id: "1"}, {id: "over", err: gone, over: true}}, "over", gone, true},
	} {
		r := &room{changed: make(chan struct{})}
		var before <-chan struct{}
		for _, v := range tt.shown {
			_, before = r.view()
			r.show(v)
		}
		changed := false
		select {
		case <-before:
			changed = true
		default:
		}
		v, err := r.first(t.Context())
		if v.id != tt.id || !errors.Is(err, tt.err) || changed != tt.changed {
			t.Errorf("%s: %q, %v, changed %v", tt.name, v.id, err, changed)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := (&room{changed: make(chan struct{})}).first(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing is seen yet: %v", err)
	}
}

func TestEvent_OneLineEach(t *testing.T) {
	t.Parallel()
	const want = "event: step\nid: 1\ndata: <p>a\ndata: b</p>\n\n"
	if got := string(event("step", "1", []byte("<p>a\nb</p>"))); got != want {
		t.Errorf("got %q", got)
	}
}
