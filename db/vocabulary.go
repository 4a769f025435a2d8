package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// maxListed is how many sessions are listed of a word. A word that more sessions
// have is common: it narrows no search, because there is enough to find among the
// newest sessions.
const maxListed = 1000

// maxWords is how many words a search looks the sessions up of. A text that more
// words contain counts as a common word.
const maxWords = 200

// toolErrorWord is a word of every session that session.SearchToolError selects.
const toolErrorWord = "toolerror"

// word is a row of the table word.
type word struct {
	id, sessions int64
	common       bool
}

// each returns a subquery for the elements of a JSON array that is its argument.
func (d dialect) each() string {
	return d.query(`(SELECT value FROM json_each(?))`, `(SELECT json_array_elements_text(?::json))`)
}

// eachID is each for an array of integers.
func (d dialect) eachID() string {
	return d.query(`(SELECT value FROM json_each(?))`, `(SELECT json_array_elements_text(?::json)::bigint)`)
}

// pairs returns a table of the elements [id, text] of a JSON array that is its
// argument.
func (d dialect) pairs() string {
	return d.query(`(SELECT value ->> 0 AS id, value ->> 1 AS text FROM json_each(?)) pair`,
		`(SELECT (value ->> 0)::bigint AS id, value ->> 1 AS text FROM json_array_elements(?::json)) pair`)
}

// array returns a list as a JSON array.
func array[T any](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // of texts and numbers
	return string(text)
}

// indexSessions makes the vocabulary of a workspace have the words of some of its
// sessions, and no longer those that they had before.
func indexSessions(ctx context.Context, tx *txn, workspace string, ids []string) error {
	v, err := openVocabulary(ctx, tx, workspace)
	if err != nil {
		return err
	}
	texts, err := searchTexts(ctx, tx, ids)
	if err != nil {
		return err
	}
	if err := v.remove(ctx, tx, ids); err != nil {
		return err
	}
	if err := v.add(ctx, tx, texts); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE session SET indexed = 1 WHERE id IN `+tx.each(), array(ids))
	if err != nil {
		return failed("index sessions", err)
	}
	return v.sweep(ctx, tx)
}

// unindexSessions makes the vocabulary of a workspace no longer have the words that
// only some of its sessions have. These are to be deleted, or read by a search from
// now on.
func unindexSessions(ctx context.Context, tx *txn, workspace string, ids ...string) error {
	v := vocabulary{workspace: workspace, touched: map[int64]bool{}}
	err := tx.QueryRowContext(ctx, `SELECT id FROM vocabulary WHERE workspace = ?`, workspace).Scan(&v.id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return failed("find vocabulary", err)
	}
	if err := v.remove(ctx, tx, ids); err != nil {
		return err
	}
	return v.sweep(ctx, tx)
}

// deleteVocabulary deletes all words of a workspace.
func deleteVocabulary(ctx context.Context, tx *txn, workspace string) error {
	const of = ` (SELECT id FROM vocabulary WHERE workspace = ?)`
	for _, q := range []string{
		`DELETE FROM session_words WHERE session IN (SELECT id FROM session WHERE workspace = ?)`,
		`DELETE FROM word_session WHERE word IN (SELECT id FROM word WHERE vocabulary =` + of + `)`,
		`DELETE FROM ending WHERE vocabulary =` + of,
		`DELETE FROM word WHERE vocabulary =` + of,
		`DELETE FROM vocabulary WHERE workspace = ?`,
	} {
		if _, err := tx.ExecContext(ctx, q, workspace); err != nil {
			return failed("delete vocabulary", err)
		}
	}
	return nil
}

// vocabulary is a vocabulary that a transaction changes.
type vocabulary struct {
	id        int64
	workspace string
	touched   map[int64]bool // words that fewer sessions have than before
	bytes     int64          // how much more it stores than before
}

// openVocabulary returns the vocabulary of a workspace, which it makes if there is
// none.
func openVocabulary(ctx context.Context, tx *txn, workspace string) (*vocabulary, error) {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO vocabulary (workspace) VALUES (?) ON CONFLICT DO NOTHING`, workspace)
	if err != nil {
		return nil, failed("add vocabulary", err)
	}
	v := vocabulary{workspace: workspace, touched: map[int64]bool{}}
	err = tx.QueryRowContext(ctx, `SELECT id FROM vocabulary WHERE workspace = ?`, workspace).Scan(&v.id)
	return &v, failed("find vocabulary", err)
}

// searchTexts returns what a search reads of sessions, by id.
func searchTexts(ctx context.Context, tx *txn, ids []string) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx,
		`SELECT id, search, '', 0 FROM session WHERE id IN `+tx.each()+` UNION ALL
		 SELECT session, search, status, tool_error FROM exchange WHERE session IN `+tx.each(),
		array(ids), array(ids))
	if err != nil {
		return nil, failed("read search texts", err)
	}
	defer rows.Close()
	texts := map[string]string{}
	for rows.Next() {
		var id, text, status string
		var toolError bool
		if err := rows.Scan(&id, &text, &status, &toolError); err != nil {
			return nil, failed("read search texts", err)
		}
		texts[id] += " " + text + " " + status
		if toolError {
			texts[id] += " " + toolErrorWord
		}
	}
	return texts, failed("read search texts", rows.Err())
}

// remove takes the words away that sessions of the workspace have.
func (v *vocabulary) remove(ctx context.Context, tx *txn, ids []string) error {
	had, err := v.wordsOf(ctx, tx, ids)
	if err != nil || len(had) == 0 {
		return err
	}
	fewer := map[int64]int64{}
	for id, text := range had {
		var words []int64
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			return failed("read words", err)
		}
		for _, w := range words {
			fewer[w]--
			v.touched[w] = true
		}
		_, err := tx.ExecContext(ctx,
			`DELETE FROM word_session WHERE session = ? AND word IN `+tx.eachID(), id, text)
		if err != nil {
			return failed("remove words", err)
		}
		v.bytes -= sessionCost(text)
	}
	if err := addCounts(ctx, tx, fewer); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM session_words WHERE session IN `+tx.each(),
		array(slices.Collect(maps.Keys(had))))
	return failed("remove words", err)
}

// wordsOf returns the words that sessions of the workspace have in the vocabulary, as
// JSON arrays by session.
func (v *vocabulary) wordsOf(ctx context.Context, tx *txn, ids []string) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx,
		`SELECT w.session, w.words FROM session_words w JOIN session s ON s.id = w.session
		 WHERE s.workspace = ? AND s.id IN `+tx.each(), v.workspace, array(ids))
	if err != nil {
		return nil, failed("read words", err)
	}
	defer rows.Close()
	list := map[string]string{}
	for rows.Next() {
		var id, words string
		if err := rows.Scan(&id, &words); err != nil {
			return nil, failed("read words", err)
		}
		list[id] = words
	}
	return list, failed("read words", rows.Err())
}

// add gives sessions, that have none, the words of their texts.
func (v *vocabulary) add(ctx context.Context, tx *txn, texts map[string]string) error {
	counts, words := map[string]int64{}, map[string][]string{}
	for id, text := range texts {
		words[id] = session.SearchWords(text)
		for _, w := range words[id] {
			counts[w]++
		}
	}
	known, err := v.know(ctx, tx, slices.Sorted(maps.Keys(counts)))
	if err != nil {
		return err
	}
	more := map[int64]int64{}
	for text, n := range counts {
		more[known[text].id] = n
	}
	if err := addCounts(ctx, tx, more); err != nil {
		return err
	}
	if err := v.addLists(ctx, tx, words, known); err != nil {
		return err
	}
	return markCommon(ctx, tx, known, counts)
}

// addLists notes which words sessions have.
func (v *vocabulary) addLists(
	ctx context.Context, tx *txn, words map[string][]string, known map[string]word,
) error {
	var listed [][2]any
	for _, id := range slices.Sorted(maps.Keys(words)) {
		all := make([]int64, len(words[id]))
		for i, text := range words[id] {
			w := known[text]
			all[i] = w.id
			if !w.common {
				listed = append(listed, [2]any{w.id, id})
			}
		}
		text := array(all)
		v.bytes += sessionCost(text)
		_, err := tx.ExecContext(ctx, `INSERT INTO session_words (session, words) VALUES (?, ?)`, id, text)
		if err != nil {
			return failed("add words", err)
		}
	}
	slices.SortFunc(listed, func(a, b [2]any) int { return int(a[0].(int64) - b[0].(int64)) })
	_, err := tx.ExecContext(ctx,
		`INSERT INTO word_session (word, session) SELECT id, text FROM `+tx.pairs(), array(listed))
	return failed("list sessions", err)
}

// know returns the words of texts, of which it adds those that are missing, for no
// session yet.
func (v *vocabulary) know(ctx context.Context, tx *txn, texts []string) (map[string]word, error) {
	known, err := v.find(ctx, tx, texts)
	if err != nil || len(known) == len(texts) {
		return known, err
	}
	missing := slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		_, found := known[text]
		return found
	})
	_, err = tx.ExecContext(ctx,
		`INSERT INTO word (vocabulary, text, sessions) SELECT ?, value, 0 FROM `+
			tx.query(`json_each(?)`, `json_array_elements_text(?::json) AS value`), v.id, array(missing))
	if err != nil {
		return nil, failed("add words", err)
	}
	added, err := v.find(ctx, tx, missing)
	if err != nil {
		return nil, err
	}
	maps.Copy(known, added)
	var endings [][2]any
	for _, text := range missing {
		v.bytes += wordCost(text)
		for _, ending := range session.Endings(text) {
			endings = append(endings, [2]any{added[text].id, ending})
		}
	}
	slices.SortFunc(endings, func(a, b [2]any) int { return strings.Compare(a[1].(string), b[1].(string)) })
	_, err = tx.ExecContext(ctx,
		`INSERT INTO ending (vocabulary, text, word) SELECT ?, text, id FROM `+tx.pairs(),
		v.id, array(endings))
	return known, failed("add endings", err)
}

// find returns those words of the vocabulary that are among texts.
func (v *vocabulary) find(ctx context.Context, tx *txn, texts []string) (map[string]word, error) {
	rows, err := tx.QueryContext(ctx,
		`SELECT text, id, sessions, common FROM word WHERE vocabulary = ? AND text IN `+tx.each(),
		v.id, array(texts))
	if err != nil {
		return nil, failed("find words", err)
	}
	defer rows.Close()
	found := map[string]word{}
	for rows.Next() {
		var text string
		var w word
		if err := rows.Scan(&text, &w.id, &w.sessions, &w.common); err != nil {
			return nil, failed("find words", err)
		}
		found[text] = w
	}
	return found, failed("find words", rows.Err())
}

// addCounts changes in how many sessions words are.
func addCounts(ctx context.Context, tx *txn, counts map[int64]int64) error {
	list := make([][2]int64, 0, len(counts))
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, [2]int64{id, counts[id]})
	}
	_, err := tx.ExecContext(ctx,
		`UPDATE word SET sessions = sessions + pair.n FROM (SELECT id, `+
			tx.query(`text`, `text::bigint`)+` AS n FROM `+tx.pairs()+`) pair WHERE word.id = pair.id`,
		array(list))
	return failed("count sessions", err)
}

// markCommon no longer lists the sessions of words that too many have.
func markCommon(ctx context.Context, tx *txn, known map[string]word, counts map[string]int64) error {
	var common []int64
	for text, w := range known {
		if !w.common && w.sessions+counts[text] > maxListed {
			common = append(common, w.id)
		}
	}
	if len(common) == 0 {
		return nil
	}
	for _, q := range []string{
		`UPDATE word SET common = 1 WHERE id IN ` + tx.eachID(),
		`DELETE FROM word_session WHERE word IN ` + tx.eachID(),
	} {
		if _, err := tx.ExecContext(ctx, q, array(common)); err != nil {
			return failed("mark common words", err)
		}
	}
	return nil
}

// sweep deletes the words that no session has any more, and counts what the
// vocabulary stores.
func (v *vocabulary) sweep(ctx context.Context, tx *txn) error {
	gone, err := v.unused(ctx, tx)
	if err != nil {
		return err
	}
	for id, text := range gone {
		v.bytes -= wordCost(text)
		_, err := tx.ExecContext(ctx,
			`DELETE FROM ending WHERE vocabulary = ? AND word = ? AND text IN `+tx.each(),
			v.id, id, array(session.Endings(text)))
		if err != nil {
			return failed("delete endings", err)
		}
	}
	if len(gone) > 0 {
		_, err := tx.ExecContext(ctx, `DELETE FROM word WHERE id IN `+tx.eachID(),
			array(slices.Collect(maps.Keys(gone))))
		if err != nil {
			return failed("delete words", err)
		}
	}
	if v.bytes == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE vocabulary SET bytes = bytes + ? WHERE id = ?`, v.bytes, v.id)
	return failed("count bytes", err)
}

// unused returns the touched words that are in no session, by id.
func (v *vocabulary) unused(ctx context.Context, tx *txn) (map[int64]string, error) {
	gone := map[int64]string{}
	if len(v.touched) == 0 {
		return gone, nil
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, text FROM word WHERE sessions = 0 AND id IN `+tx.eachID(),
		array(slices.Collect(maps.Keys(v.touched))))
	if err != nil {
		return nil, failed("find words", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, failed("find words", err)
		}
		gone[id] = text
	}
	return gone, failed("find words", rows.Err())
}

// wordCost is what a word with its endings counts, in bytes.
func wordCost(text string) int64 { return 64 + 32*int64(utf8.RuneCountInString(text)) }

// sessionCost is what a session counts that has words, with its entries in the lists
// of words that are not common.
func sessionCost(words string) int64 { return 64 + 2*int64(len(words)) }
