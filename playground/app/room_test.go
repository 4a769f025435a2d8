package app

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
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
		shown   []Sight
		id      string
		err     error
		changed bool // by the last one
	}{
		{"a first step", []Sight{{ID: "1"}}, "1", nil, true},
		{"the same again", []Sight{{ID: "1"}, {ID: "1"}}, "1", nil, false},
		{"the next", []Sight{{ID: "1"}, {ID: "2"}}, "2", nil, true},
		{"away at first", []Sight{{err: away}}, "", away, true},
		{"back", []Sight{{err: away}, {ID: "1"}}, "1", nil, true},
		{"away later", []Sight{{ID: "1"}, {err: away}}, "1", nil, false},
		{"the end", []Sight{{ID: "1"}, {ID: "over", err: gone, Over: true}}, "over", gone, true},
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
		if v.ID != tt.id || !errors.Is(err, tt.err) || changed != tt.changed {
			t.Errorf("%s: %q, %v, changed %v", tt.name, v.ID, err, changed)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := (&room{changed: make(chan struct{})}).first(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing is seen yet: %v", err)
	}
}

// oneTalk is a store that has one talk.
type oneTalk struct{ Store }

func (oneTalk) Talk(context.Context, string, time.Time) (talk.Talk, error) {
	return talk.Talk{Code: "code", Workspace: "w", Session: "s"}, nil
}

func (oneTalk) Stage(context.Context, string, string) (demo.Stage, error) {
	return demo.Stage{}, errors.New("it was read")
}

// TestFollow_TakesTurns: a talk is read in a turn that counts for its presenter, and not
// without one.
func TestFollow_TakesTurns(t *testing.T) {
	t.Parallel()
	s := New(Config{Runner: struct{ Runner }{}, Now: time.Now, Limits: Limits{Reads: 1}}, oneTalk{})
	seen := func() error {
		r, leave := s.rooms.enter("code", func(ctx context.Context, r *room) {
			for s.lookAtTalk(ctx, "code", r, nil) {
			}
		})
		defer leave()
		_, err := r.first(t.Context())
		return err
	}
	other := s.Visit(t.Context(), Request{Owner: Agent("v"), Kind: ByToken})
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	if err := seen(); !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another has the only turn: %v", err)
	}
	other.EndTurn()
	if err := seen(); err == nil || errors.As(err, &refused) {
		t.Errorf("once the turn is free: %v", err)
	}
}

// countedScreens count the steps that are rendered.
type countedScreens struct{ steps int }

func (c *countedScreens) Step(context.Context, string, string, demo.Showing) (Screen, error) {
	c.steps++
	return Screen{Main: []byte("step")}, nil
}

func (*countedScreens) Ended(context.Context) (Screen, error) { return Screen{}, nil }

// TestFollow_KeepsTheSight: a step is masked and rendered once, also if all who follow the talk
// leave and come back, and not again until the stage changes.
func TestFollow_KeepsTheSight(t *testing.T) {
	t.Parallel()
	s, p := &App{}, &countedScreens{}
	talk := talk.Talk{Code: "code", Workspace: "w", Session: "s"}
	story, _ := demo.Find("azure-devops")
	look := func(marks int) Sight {
		shown := demo.Showing{Story: story}
		shown.Stage.Marks = make([]demo.Mark, marks)
		return s.sightOf(t.Context(), talk, shown, &room{changed: make(chan struct{})}, p)
	}
	first, again := look(1), look(1)
	if p.steps != 1 || again.ID != first.ID || string(again.Main) != "step" {
		t.Errorf("the same step: rendered %d times, %q and %q", p.steps, first.ID, again.ID)
	}
	if next := look(2); p.steps != 2 || next.ID == first.ID {
		t.Errorf("the next step: rendered %d times, %q", p.steps, next.ID)
	}
	if s.rooms.kept.size != len("step") || len(s.rooms.kept.order) != 1 {
		t.Errorf("%d bytes of %d talks are kept", s.rooms.kept.size, len(s.rooms.kept.order))
	}
	s.rooms.kept.forget("code")
	if look(2); p.steps != 3 {
		t.Errorf("after the end of the talk: rendered %d times", p.steps)
	}
}

// TestKeptSights_AreBounded: the sights of many or of large talks displace the oldest.
func TestKeptSights_AreBounded(t *testing.T) {
	t.Parallel()
	var k keptSights
	for i := range mostSights + 1 {
		k.keep(fmt.Sprint(i), Sight{ID: "1", Screen: Screen{Main: make([]byte, 10)}})
	}
	_, oldest := k.of("0", "1")
	_, newest := k.of(fmt.Sprint(mostSights), "1")
	if oldest || !newest || len(k.m) != mostSights || k.size != 10*mostSights {
		t.Errorf("oldest %v, newest %v; %d of %d bytes", oldest, newest, len(k.m), k.size)
	}
	k.keep("large", Sight{ID: "1", Screen: Screen{Event: make([]byte, mostSightBytes+1)}})
	if len(k.m) != 0 || k.size != 0 || len(k.order) != 0 {
		t.Errorf("a sight that is too large is kept: %d of %d bytes", len(k.m), k.size)
	}
}
