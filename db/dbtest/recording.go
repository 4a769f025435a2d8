package dbtest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
)

func newRecording(id string) mock.Saved {
	return mock.Saved{
		ID: id, Workspace: "w", Token: "token of " + id, Title: "Refund", Ignored: mock.Usual(),
		Data: []byte("{}"), Created: Now, Used: Now,
	}
}

var recordingTests = map[string]func(*testing.T, *db.Store){
	"Recording_IsReadAsStored": func(t *testing.T, s *db.Store) {
		want := newRecording("r")
		added, err := s.AddServed(t.Context(), want, 1)
		if !added || err != nil {
			t.Fatal(added, err)
		}
		if added, err := s.AddServed(t.Context(), newRecording("r2"), 1); added || err != nil {
			t.Fatal(added, err)
		}
		bare := want
		bare.Data = nil
		byID, idErr := s.Served(t.Context(), "w", "r")
		byToken, tokenErr := s.ServedAt(t.Context(), want.Token)
		list, err := s.ServedOf(t.Context(), "w")
		diff := cmp.Diff([]mock.Saved{bare, want, bare}, append(list, byID, byToken))
		if diff != "" || errors.Join(idErr, tokenErr, err) != nil {
			t.Error(diff, idErr, tokenErr, err)
		}
		if _, err := s.Served(t.Context(), "other", "r"); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
		n, err := s.Session(t.Context(), "w", "r")
		if err != nil || n.Kind != "recording" || n.Title != "Refund" {
			t.Error(n, err)
		}
	},

	"Recording_EndsAndIsRenewed": func(t *testing.T, s *db.Store) {
		r := newRecording("r")
		_, err := s.AddServed(t.Context(), r, 9)
		must(t, err)
		at := Now.Add(2 * time.Hour)
		must(t, s.UseServed(t.Context(), r, at))
		must(t, s.EndServed(t.Context(), "w", "r", at))
		ended, err := s.ServedAt(t.Context(), r.Token)
		if err != nil || ended.Open(at, false) || !ended.Used.Equal(at) {
			t.Error(ended, err)
		}
		must(t, s.RenewServed(t.Context(), "w", "r", "another", at))
		if _, err := s.ServedAt(t.Context(), r.Token); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
		renewed, err := s.ServedAt(t.Context(), "another")
		if err != nil || !renewed.Open(at, true) || renewed.Open(at.Add(mock.Life), true) {
			t.Error(renewed, err)
		}
		for what, err := range map[string]error{
			"end":   s.EndServed(t.Context(), "other", "r", at),
			"renew": s.RenewServed(t.Context(), "other", "r", "theirs", at),
			"set":   s.SetIgnored(t.Context(), "other", "r", nil),
		} {
			if !errors.Is(err, playground.ErrNotFound) {
				t.Error(what, err)
			}
		}
	},

	"Recording_CountsAnswers": func(t *testing.T, s *db.Store) {
		r := newRecording("r")
		_, err := s.AddServed(t.Context(), r, 9)
		must(t, err)
		turn := func(want int) {
			t.Helper()
			n, err := s.ServedTurn(t.Context(), r, "1:poll")
			if n != want || err != nil {
				t.Error(n, want, err)
			}
		}
		turn(0)
		turn(1)
		must(t, s.BeginServed(t.Context(), r, "1:"))
		turn(0)
		must(t, s.SetIgnored(t.Context(), "w", "r", mock.Ignored{mock.State, mock.Answers}))
		turn(0)
		got, err := s.Served(t.Context(), "w", "r")
		if err != nil || got.Ignored.String() != "state,answers" {
			t.Error(got, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "r"))
		if _, err := s.ServedAt(t.Context(), r.Token); !errors.Is(err, playground.ErrNotFound) {
			t.Error(err)
		}
	},
}
