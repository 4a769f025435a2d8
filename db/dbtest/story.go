package dbtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

var storyTests = map[string]func(*testing.T, *db.Store){
	"Story_IsReadAsStored": func(t *testing.T, s *db.Store) {
		a := demo.Saved{ID: "1", Title: "ä", Text: "a: \u202e\nb", Created: Now, Used: Now}
		b := demo.Saved{ID: "2", Title: "b", Text: "b", Created: Now, Used: Now.Add(time.Hour)}
		for _, d := range []demo.Saved{a, b} {
			if added, err := s.AddStory(t.Context(), "w", d, 2); !added || err != nil {
				t.Fatal(added, err)
			}
		}
		added, err := s.AddStory(t.Context(), "w", demo.Saved{ID: "3", Created: Now}, 2)
		if added || err != nil {
			t.Errorf("beyond the limit: %v, %v", added, err)
		}
		list, err := s.Stories(t.Context(), "w")
		if len(list) != 2 || list[0].ID != "2" || list[0].Text != "" || err != nil {
			t.Errorf("list: %+v, %v", list, err)
		}
		a.Title, a.Text, a.Used = "c", "longer text", Now.Add(2*time.Hour)
		must(t, s.SetStory(t.Context(), "w", a))
		one, err := s.SavedStory(t.Context(), "w", "1")
		if diff := cmp.Diff(a, one); diff != "" || err != nil {
			t.Error(diff, err)
		}
		must(t, s.DeleteStory(t.Context(), "w", "1"))
		_, err = s.SavedStory(t.Context(), "w", "1")
		wantErr(t, "deleted", playground.ErrNotFound, err)
	},

	"Story_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		_, err := s.AddStory(t.Context(), "w", demo.Saved{ID: "1", Created: Now}, 9)
		must(t, err)
		_, err = s.SavedStory(t.Context(), "other", "1")
		wantErr(t, "read", playground.ErrNotFound, err)
		wantErr(t, "change", playground.ErrNotFound, s.SetStory(t.Context(), "other", demo.Saved{ID: "1"}))
		wantErr(t, "delete", playground.ErrNotFound, s.DeleteStory(t.Context(), "other", "1"))
		if list, err := s.Stories(t.Context(), "other"); err != nil || len(list) != 0 {
			t.Errorf("list: %v, %v", list, err)
		}
	},
}
