package sitetest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// Stage plays a story by pressing its one button.
type Stage struct {
	*Site
	Slug, Path string
}

// NewStage makes a stage of a story.
func NewStage(s *Site, slug string) *Stage {
	s.T.Helper()
	if got := s.Post("/demos/"+slug, ""); got.Status != http.StatusSeeOther {
		s.T.Fatalf("make a stage: %d %s", got.Status, Excerpt(got.Body))
	}
	path, _, _ := strings.Cut(s.Last, "?")
	return &Stage{s, slug, path}
}

// Newest returns the stage's page when no request is running.
func (s *Stage) Newest() string {
	s.T.Helper()
	var got Answer
	Await(s.T, func() string {
		if got = s.Get(s.Path); got.Status != http.StatusOK {
			s.T.Fatalf("%s: %d", s.Path, got.Status)
		}
		if got.HTML().Has("[data-live]") {
			return "never settles"
		}
		return ""
	})
	return got.Body
}

// Press presses a button of the newest page.
func (s *Stage) Press(do string, more ...string) string {
	s.T.Helper()
	form := url.Values{"do": {do}, "step": {ShownBy(StepShown, s.Newest())}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	if got := s.Post(s.Path, form.Encode()); got.Status != http.StatusSeeOther {
		s.T.Fatalf("press %s: %d %s", do, got.Status, Excerpt(got.Body))
	}
	return s.Newest()
}

// Lanes are the exchanges of the stage, the one before MRTR nil until made.
func (s *Stage) Lanes() (own, past *playground.Exchange) {
	s.T.Helper()
	st, err := s.Store.Stage(s.T.Context(), "local", s.Path[strings.LastIndexByte(s.Path, '/')+1:])
	Check(s.T, err)
	for id, lane := range map[string]**playground.Exchange{st.Own: &own, st.Legacy: &past} {
		if id != "" {
			x, err := s.Store.Exchange(s.T.Context(), "local", id)
			Check(s.T, err)
			*lane = &x
		}
	}
	return own, past
}

// UntilRound leads the story on until it has so many Rounds.
func (s *Stage) UntilRound(n int) {
	s.T.Helper()
	for range 6 {
		do := "next"
		if htmltest.Parse(s.Newest()).Has(`[data-do="again"]`) {
			do = "again"
		}
		s.Press(do)
		own, _ := s.Lanes()
		if len(playground.Fold(own.Log).Rounds) >= n {
			return
		}
	}
	s.T.Fatalf("there is no round %d", n)
}
