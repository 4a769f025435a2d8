package web

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// progressCookie is the cookie with the progress, which is not secret and needs no
// workspace.
const progressCookie = "learn"

// Progress returns which lessons the visitor has started and finished.
func (s *App) Progress(r *Request) lesson.Progress {
	return lesson.ParseProgress(s.Cookie(r, progressCookie))
}

// KeepProgress stores the progress in a cookie.
func (s *App) KeepProgress(r *Request, p lesson.Progress) {
	for slug := range p {
		if _, ok := s.Lessons().Lesson(slug); !ok {
			delete(p, slug)
		}
	}
	s.KeepCookie(r, progressCookie, p.String(), Year)
}

// LessonOf returns a link to the lesson in which an exchange, or the one it
// branches from, was started; nil if there is none.
func (s *App) LessonOf(r *Request, x playground.Exchange) *paths.LessonLink {
	slug, ok := s.Progress(r).LessonOf(x.ID)
	if !ok && x.Origin != nil {
		if x.Origin.Parent != nil {
			return s.LessonOf(r, *x.Origin.Parent)
		}
		slug, ok = s.Progress(r).LessonOf(x.Origin.Exchange)
	}
	if !ok {
		return nil
	}
	l, ok := s.Lessons().Lesson(slug)
	if !ok {
		return nil
	}
	return &paths.LessonLink{
		Path: l.Path() + "#live", Words: fmt.Sprintf("Continue lesson %d: %s", l.N, l.Title),
	}
}

// EditedIn returns the lesson in which an exchange was started, if back leads
// there: a request of it that is edited comes back to the lesson.
func (s *App) EditedIn(x playground.Exchange, p lesson.Progress, back string) *paths.LessonLink {
	path, _, _ := strings.Cut(BackToLesson(back), "#")
	l, ok := s.Lessons().Lesson(strings.TrimPrefix(path, "/learn/"))
	if !ok || p[l.Slug].Exchange != x.ID {
		return nil
	}
	return &paths.LessonLink{
		Path: l.Path() + "#live", Words: fmt.Sprintf("Lesson %d: %s", l.N, l.Title),
	}
}

// ShowInLesson makes an edited call the live exchange of its lesson and leads
// there.
func (s *App) ShowInLesson(r *Request, to paths.LessonLink, x playground.Exchange) error {
	path, _, _ := strings.Cut(to.Path, "#")
	slug := strings.TrimPrefix(path, "/learn/")
	p := s.Progress(r)
	mark := p[slug]
	mark.Exchange = x.ID
	p[slug] = mark
	s.KeepProgress(r, p)
	return SeeOther(r, to.Path)
}

// BackToLesson returns back if it is a place in a lesson, and "" otherwise.
func BackToLesson(back string) string {
	if !strings.HasPrefix(back, "/learn/") || !IsOwnPath(back) {
		return ""
	}
	return back
}

// RuleEntries returns a search entry for every rule, with its id and
// requirement, that leads to the sentence that explains it.
func RuleEntries(b *lesson.Book) []search.Entry {
	var list []search.Entry
	for _, r := range rules.All() {
		path, ok := b.RulePath(r.ID)
		if !ok {
			continue
		}
		where := "in the table of the specification"
		if l, ok := b.ForRule(r.ID); ok {
			where = "explained in “" + l.Title + "”"
		}
		list = append(list, search.Entry{
			Kind: "Rule", Title: r.ID + ": " + r.Requirement, Path: path,
			Text: "A requirement for the " + string(r.Side) + ", " + where + ".",
		})
	}
	return list
}
