package dbtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

var workbenchTests = map[string]func(*testing.T, *db.Store){
	"Workbench_IsReadByItsWorkspaceUntilItExpires": func(t *testing.T, s *db.Store) {
		ctx, end := t.Context(), Now.Add(time.Hour)
		must(t, s.KeepWorkbench(ctx, "w", "1", []byte("sealed"), Now, end, 5))
		got, err := s.Workbench(ctx, "w", "1", end.Add(-time.Microsecond))
		if string(got) != "sealed" || err != nil {
			t.Errorf("read %q, %v", got, err)
		}
		_, err = s.Workbench(ctx, "w", "1", end)
		wantErr(t, "expired", playground.ErrNotFound, err)
		_, err = s.Workbench(ctx, "other", "1", Now)
		wantErr(t, "of another workspace", playground.ErrNotFound, err)
		must(t, s.DeleteExpiredWorkbenches(ctx, end.Add(-time.Microsecond)))
		if _, err := s.Workbench(ctx, "w", "1", Now); err != nil {
			t.Errorf("deleted before its end: %v", err)
		}
		must(t, s.DeleteExpiredWorkbenches(ctx, end))
		_, err = s.Workbench(ctx, "w", "1", Now)
		wantErr(t, "deleted", playground.ErrNotFound, err)
	},

	"Workbench_TheNewestAreKeptAndCount": func(t *testing.T, s *db.Store) {
		ctx := t.Context()
		must(t, s.KeepWorkbench(ctx, "other", "o", []byte("x"), Now, Now.Add(time.Hour), 3))
		for i := range 5 {
			at := Now.Add(time.Duration(i) * time.Second)
			must(t, s.KeepWorkbench(ctx, "w", fmt.Sprint(i), []byte("sealed"), at, at.Add(time.Hour), 3))
		}
		for i, kept := range []bool{false, false, true, true, true} {
			if _, err := s.Workbench(ctx, "w", fmt.Sprint(i), Now); (err == nil) != kept {
				t.Errorf("%d: %v, want kept: %t", i, err, kept)
			}
		}
		if _, err := s.Workbench(ctx, "other", "o", Now); err != nil {
			t.Errorf("that of another workspace: %v", err)
		}
		u, err := s.Storage(ctx, "w", "", usage.Payer{})
		want := int64(3 * (256 + len("sealed")))
		if err != nil || u.Workspace < want || u.Workspace > want+1024 {
			t.Errorf("it stores %d bytes, want about %d, %v", u.Workspace, want, err)
		}
	},
}
