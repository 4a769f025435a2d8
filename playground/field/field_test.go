package field_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestSubjects: each subject and each fact is whole.
func TestSubjects(t *testing.T) {
	kinds, slugs := map[field.Kind]int{}, map[string]bool{}
	for _, s := range field.Subjects() {
		kinds[s.Kind]++
		if _, err := time.Parse(time.DateOnly, s.Day); err != nil || slugs[s.Slug] || s.Name == "" ||
			s.Version == "" || s.Condition == "" || s.How != "make field FIELD="+s.Slug ||
			len(s.Revisions) == 0 || len(s.Facts) == 0 {
			t.Errorf("%s: %v, %+v", s.Slug, err, s)
		}
		slugs[s.Slug] = true
		checks := map[string]bool{}
		for _, f := range s.Facts {
			if fault := fault(f); fault != "" || checks[f.Check] {
				t.Errorf("%s: %s, %+v", s.Slug, fault, f)
			}
			checks[f.Check] = true
		}
	}
	for kind, least := range map[field.Kind]int{field.Server: 4, field.Client: 9, field.Gateway: 3} {
		if kinds[kind] < least {
			t.Errorf("%d of kind %s", kinds[kind], kind)
		}
	}
}

// steady is what no sentence has, because it differs from run to run: a port, or a random id.
var unsteady = regexp.MustCompile(`127\.0\.0\.1:\d+|mark-[A-Z0-9]{6}|[A-Z2-7]{20}`)

// fault returns the fault of a fact, or "".
func fault(f field.Fact) string {
	requirement, known := spec.ByID(f.Requirement)
	switch {
	case f.Requirement != "" && !known:
		return "it is about no requirement"
	case f.Check == "" || f.Sentence == "" || f.Title == "":
		return "it lacks a text"
	case !slices.Contains(verdict.Outcomes(), f.Outcome):
		return "it has no outcome"
	case f.Outcome == verdict.Failed && known && !strings.HasPrefix(string(requirement.Level), "MUST"):
		return "it failed a lesser requirement"
	case f.Outcome.Wrong() && f.Exchange == 0, !f.Outcome.Judged() && f.Exchange > 0,
		(f.Exchange > 0) != (f.Round > 0):
		return "it is wrong and has no place, or was not judged and has one"
	case unsteady.MatchString(f.Sentence):
		return "its sentence changes from run to run"
	}
	return ""
}

// TestFiles: the files for people have what the program has.
func TestFiles(t *testing.T) {
	files, err := os.ReadDir("facts")
	if err != nil || len(files) != len(field.Subjects()) {
		t.Errorf("%v, %d files, %d subjects", err, len(files), len(field.Subjects()))
	}
	for _, s := range field.Subjects() {
		data, err := os.ReadFile("facts/" + s.Slug + ".json")
		if err != nil {
			t.Error(err)
			continue
		}
		var file field.Subject
		if err := json.Unmarshal(data, &file); err != nil {
			t.Errorf("%s: %v", s.Slug, err)
		}
		if c := field.Compare([]field.Subject{s}, []field.Subject{file}); len(c.Changed) > 0 ||
			file.Day != s.Day {
			t.Errorf("%s, %s: %s", s.Slug, file.Day, c)
		}
	}
}

// recording returns the recording of a subject.
func recording(t *testing.T, s field.Subject) session.Session {
	t.Helper()
	h, ok := field.Share(s.Token())
	if !ok {
		t.Fatalf("%s has no recording", s.Slug)
	}
	view, n, err := share.Decode(h.Data)
	if err != nil || len(view.Shown) != len(n.Exchanges) || h.Title != s.Title() {
		t.Fatalf("%s: %v, %q shows %v", s.Slug, err, h.Title, view.Shown)
	}
	return n
}

// TestRecordings_HaveNoAddress: nothing of the machine on which they were made is
// in them, but a port of the loopback interface.
func TestRecordings_HaveNoAddress(t *testing.T) {
	foreign := regexp.MustCompile(
		`(?i)/c/[a-z0-9]{20}|/home/[b-z]|/root/|/tmp/|\\ncookie: [^m*]`,
	)
	for _, s := range field.Subjects() {
		if h, ok := field.Share(s.Token()); ok {
			if found := foreign.Find(h.Data); found != nil {
				t.Errorf("%s: %s", s.Slug, found)
			}
		}
	}
}

func TestShare_Unknown(t *testing.T) {
	for _, token := range []string{
		"", "field-", "field-nothing", "go-sdk-client", "field-../facts", "client-go-sdk",
	} {
		if _, ok := field.Share(token); ok {
			t.Errorf("%q is a share", token)
		}
	}
}
