package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// onEngines runs a test on each engine.
func onEngines(t *testing.T, f func(t *testing.T, s *Store)) {
	t.Run("SQLite", func(t *testing.T) { s, _ := newStore(t); f(t, s) })
	t.Run("PostgreSQL", func(t *testing.T) { s, _ := newPostgres(t); f(t, s) })
}

// manyOn stores n sessions of one exchange. Their search text is the letter s, and
// their title t.
func manyOn(t *testing.T, s *Store, n int) {
	t.Helper()
	if s.dialect == postgres {
		manySessions(t, s, n-1)
		return
	}
	addMany(t, s, n)
}

// checkVocabulary fails unless the vocabularies are exactly what follows from the
// sessions that are in them.
func checkVocabulary(t *testing.T, s *Store, when string) {
	t.Helper()
	list := func(query string) []string {
		t.Helper()
		found, err := queryTexts(t.Context(), s.read, query)
		if err != nil {
			t.Fatal(when, err)
		}
		slices.Sort(found)
		return found
	}
	texts, ids, endings := map[string]string{}, map[string]int{}, []string{}
	for _, row := range list(`SELECT id || ' ' || vocabulary || ' ' || sessions || ' ' || text FROM word`) {
		parts := strings.SplitN(row, " ", 4)
		id, text := parts[0], parts[3]
		texts[id] = text
		for _, ending := range session.Endings(text) {
			endings = append(endings, parts[1]+" "+ending+" "+id)
		}
		var n int
		if _, err := fmt.Sscan(parts[2], &n); err != nil || n < 1 {
			t.Errorf("%s: the word %q is in %s sessions", when, text, parts[2])
		}
		ids[id] = n
	}
	slices.Sort(endings)
	got := list(`SELECT vocabulary || ' ' || text || ' ' || word FROM ending`)
	if !slices.Equal(got, endings) {
		t.Errorf("%s: %d endings, want %d", when, len(got), len(endings))
	}
	var cost int64
	for _, text := range texts {
		cost += wordCost(text)
	}
	listed := []string{}
	for _, row := range list(`SELECT session || ' ' || words FROM session_words`) {
		id, words, _ := strings.Cut(row, " ")
		var numbers []int64
		if err := json.Unmarshal([]byte(words), &numbers); err != nil {
			t.Fatal(when, err)
		}
		for _, n := range numbers {
			ids[fmt.Sprint(n)]--
			listed = append(listed, fmt.Sprint(n, " ", id))
		}
		cost += sessionCost(words)
	}
	for id, n := range ids {
		if n != 0 {
			t.Errorf("%s: the word %q counts %d sessions too many", when, texts[id], n)
		}
	}
	common := list(`SELECT CAST(id AS TEXT) FROM word WHERE common = 1`)
	listed = slices.DeleteFunc(listed, func(row string) bool {
		id, _, _ := strings.Cut(row, " ")
		return slices.Contains(common, id)
	})
	slices.Sort(listed)
	if got = list(`SELECT word || ' ' || session FROM word_session`); !slices.Equal(got, listed) {
		t.Errorf("%s: %d sessions of words are listed, want %d", when, len(got), len(listed))
	}
	var counted int64
	err := s.read.QueryRow(`SELECT coalesce(sum(bytes), 0) FROM vocabulary`).Scan(&counted)
	if err != nil || counted != cost {
		t.Errorf("%s: counted %d bytes, want %d, %v", when, counted, cost, err)
	}
}

// TestVocabulary_HasTheWordsOfItsSessions stores, changes and deletes what a search
// finds. A word is gone with the last session that has it.
func TestVocabulary_HasTheWordsOfItsSessions(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		do := func(what string, errs ...error) {
			t.Helper()
			for _, err := range errs {
				if err != nil {
					t.Fatal(what, err)
				}
			}
			checkVocabulary(t, s, what)
		}
		for n := range 2 {
			filledWith(t, s, "one", "Übung", n, 99)
			filledWith(t, s, "two", "other", n, 99)
		}
		do("one", s.Index(ctx, "one"))
		do("two", s.Index(ctx, "two"))
		do("again", s.Index(ctx, "one"))
		has := func(text string) bool {
			t.Helper()
			found, err := queryTexts(ctx, s.read,
				`SELECT text FROM word UNION ALL SELECT text FROM ending`)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Contains(found, text)
		}
		if !has("übungnote"+strings.Repeat("n", 11)) || !has("ungedited") {
			t.Error("words of the note and endings of the title are missing")
		}
		if err := s.EditSession(ctx, "two", "s0one", "x", "", false); err == nil {
			t.Error("a session of another workspace is edited")
		}
		do("edited by another")
		for n := range 2 {
			do("edited", s.EditSession(ctx, "one", fmt.Sprint("s", n, "one"), "neu", "", false))
		}
		if has("ungedited") {
			t.Error("a word of a title that was changed is still there")
		}
		do("indexed after the edit", s.Index(ctx, "one"))
		do("deleted", s.DeleteSession(ctx, "one", "s0one"), s.DeleteSession(ctx, "one", "sd0one"))
		do("all deleted", s.DeleteSessions(ctx, "one"))
		do("purged", s.PurgeWorkspace(ctx, "two"))
		if left, err := queryTexts(ctx, s.read, `SELECT workspace FROM vocabulary UNION ALL
			SELECT text FROM word UNION ALL SELECT text FROM ending UNION ALL SELECT session FROM word_session
			UNION ALL SELECT session FROM session_words`); err != nil || len(left) > 0 {
			t.Errorf("left: %q, %v", left, err)
		}
	})
}

// TestVocabulary_OneSessionAfterTheOther deletes all sessions of a workspace, one at
// a time.
func TestVocabulary_OneSessionAfterTheOther(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		filledWith(t, s, "w", "Übung", 0, 99)
		if err := s.Index(t.Context(), "w"); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"s", "sc", "sd", "si"} {
			if err := s.DeleteSession(t.Context(), "w", kind+"0w"); err != nil {
				t.Fatal(err)
			}
			checkVocabulary(t, s, kind)
		}
		words, err := queryTexts(t.Context(), s.read, `SELECT text FROM word`)
		if err != nil || len(words) > 0 {
			t.Errorf("%q, %v", words, err)
		}
	})
}

// TestSearch_CommonWords: the sessions of a word that many have are not listed. What
// is found then is complete, or the page says where the search stopped.
func TestSearch_CommonWords(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		const n = 3000
		manyOn(t, s, n)
		if err := s.Index(t.Context(), "w"); err != nil {
			t.Fatal(err)
		}
		checkVocabulary(t, s, "indexed")
		if err := s.EditSession(t.Context(), "w", "s00007", "t needle", "", false); err != nil {
			t.Fatal(err)
		}
		if err := s.Index(t.Context(), "w"); err != nil {
			t.Fatal(err)
		}
		checkVocabulary(t, s, "edited")
		find := func(q session.Search) session.Page {
			t.Helper()
			q.Limit = 51
			p, err := s.Sessions(t.Context(), "w", q)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		if p := find(session.Search{Words: []string{"s"}}); len(p.Rows) != 51 || p.Cut.ID != "" {
			t.Errorf("common: %d, cut at %+v", len(p.Rows), p.Cut)
		}
		if p := find(session.Search{Words: []string{"s", "needle"}}); len(p.Rows) != 1 || p.Cut.ID != "" {
			t.Errorf("common and rare: %d, cut at %+v", len(p.Rows), p.Cut)
		}
		if p := find(session.Search{Words: []string{"eedl"}}); len(p.Rows) != 1 || p.Rows[0].ID != "s00007" {
			t.Errorf("rare: %+v", p)
		}
		if p := find(session.Search{Words: []string{"nowhere"}}); len(p.Rows) != 0 || p.Cut.ID != "" {
			t.Errorf("missing: %+v", p)
		}
		// Signs are in no vocabulary: this reads the list, in pieces.
		p := find(session.Search{Words: []string{"%%"}})
		if len(p.Rows) != 0 || p.Cut.ID != fmt.Sprintf("s%05d", n-session.MaxScanned) {
			t.Errorf("signs: %d, cut at %+v", len(p.Rows), p.Cut)
		}
		if p = find(session.Search{Words: []string{"%%"}, After: p.Cut}); len(p.Rows) != 0 || p.Cut.ID != "" {
			t.Errorf("signs, the rest: %+v", p)
		}
	})
}

// TestIndexer_WorksBesideRequests: sessions are put into the vocabulary once there
// are many, also those that an earlier process left, and searched all the time.
func TestIndexer_WorksBesideRequests(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		manyOn(t, s, 200)
		if n, err := s.indexSome(t.Context(), "w", indexKept); err != nil || n != indexBatch {
			t.Fatal(n, err) // as if the process had ended now
		}
		checkVocabulary(t, s, "in part")
		s.indexer.notice("w")
		missing := 0
		until(func() bool {
			p, err := s.Sessions(t.Context(), "w", session.Search{Limit: 300, Words: []string{"s"}})
			if err != nil || len(p.Rows) != 200 {
				t.Fatalf("%d found, %v", len(p.Rows), err)
			}
			err = s.read.QueryRow(`SELECT count(*) FROM session WHERE indexed = 0`).Scan(&missing)
			if err != nil {
				t.Fatal(err)
			}
			return missing < indexLeast
		})
		if missing < indexKept {
			t.Errorf("%d sessions are not in the vocabulary", missing)
		}
		checkVocabulary(t, s, "done")
	})
}

// TestSearch_OtherWorkspaces: a search finds nothing of another workspace, whose
// vocabulary has the word.
func TestSearch_OtherWorkspaces(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		filledWith(t, s, "one", "Übung", 0, 9)
		filledWith(t, s, "two", "other", 0, 9)
		find := func(workspace string) int {
			t.Helper()
			q := session.Search{Limit: 9, Words: []string{"übung"}}
			p, err := s.Sessions(context.Background(), workspace, q)
			if err != nil {
				t.Fatal(err)
			}
			return len(p.Rows)
		}
		for _, indexed := range []bool{false, true} {
			if one, two := find("one"), find("two"); one != 4 || two != 0 {
				t.Errorf("indexed %v: %d and %d found", indexed, one, two)
			}
			for _, w := range []string{"one", "two"} {
				if err := s.Index(t.Context(), w); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
