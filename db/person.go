package db

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
)

// personColumns are those of scanPerson.
const personColumns = `id, issuer, subject, name, workspace, sealed, created, seen, removed`

// scanPerson reads a row of personColumns.
func scanPerson(row interface{ Scan(into ...any) error }) (people.Person, error) {
	var p people.Person
	var created, seen, removed int64
	err := row.Scan(&p.ID, &p.Issuer, &p.Subject, &p.Name, &p.Workspace, &p.Sealed, &created, &seen, &removed)
	p.Created, p.Seen = fromMicros(created), fromMicros(seen)
	if removed > 0 {
		p.Removed = fromMicros(removed)
	}
	return p, err
}

// Person returns a person by id. The error is playground.ErrNotFound for an unknown one.
func (s *Store) Person(ctx context.Context, id string) (people.Person, error) {
	p, err := scanPerson(s.read.QueryRowContext(ctx, `SELECT `+personColumns+` FROM person WHERE id = ?`, id))
	return p, failed("read person", notFound(err))
}

// PersonKnownAs returns a person by issuer and subject. The error is playground.ErrNotFound
// for one who has never signed in.
func (s *Store) PersonKnownAs(ctx context.Context, i people.Identity) (people.Person, error) {
	p, err := scanPerson(s.read.QueryRowContext(ctx,
		`SELECT `+personColumns+` FROM person WHERE issuer = ? AND subject = ?`, i.Issuer, i.Subject))
	return p, failed("read person", notFound(err))
}

// MeetPerson stores a person at a sign-in, and returns them as they are stored: with the id
// and workspace of their first one, and the name of this one.
func (s *Store) MeetPerson(ctx context.Context, p people.Person) (people.Person, error) {
	err := s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO person (id, issuer, subject, name, workspace, created, seen)
			 VALUES (?, ?, ?, ?, ?, ?, ?)
			 ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, seen = excluded.seen`,
			p.ID, p.Issuer, p.Subject, p.Name, p.Workspace, micros(p.Created), micros(p.Seen))
		return failed("store person", err)
	})
	if err != nil {
		return p, err
	}
	return s.PersonKnownAs(ctx, p.Identity)
}

// SeePerson stores when a person last used the program.
func (s *Store) SeePerson(ctx context.Context, id string, at time.Time) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx, `UPDATE person SET seen = ? WHERE id = ? AND seen < ?`,
			micros(at), id, micros(at))
		return failed("see person", err)
	})
}

// SealPerson stores the key of a person's secrets in place of before, which may be nil. It
// returns the one that is stored then: another process may have been first.
func (s *Store) SealPerson(ctx context.Context, id string, before, sealed []byte) ([]byte, error) {
	err := s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE person SET sealed = ? WHERE id = ? AND coalesce(sealed, ?) = ?`,
			sealed, id, orEmpty(before), orEmpty(before))
		return failed("store key of person", err)
	})
	if err != nil {
		return nil, err
	}
	p, err := s.Person(ctx, id)
	return p.Sealed, err
}

// orEmpty returns bytes that are not NULL.
func orEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// People returns who has signed in, the last seen first, at most n of them.
func (s *Store) People(ctx context.Context, n int) ([]people.Person, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+personColumns+` FROM person ORDER BY seen DESC, id DESC LIMIT ?`, n)
	if err != nil {
		return nil, failed("list people", err)
	}
	defer rows.Close()
	list := []people.Person{}
	for rows.Next() {
		p, err := scanPerson(rows)
		if err != nil {
			return nil, failed("list people", err)
		}
		list = append(list, p)
	}
	return list, failed("list people", rows.Err())
}

// RemovePerson stores that a person may not sign in any more, and ends with it what is
// reached by the tokens of their agents. What they have made stays until PurgeWorkspace
// or HandOver.
func (s *Store) RemovePerson(ctx context.Context, id string, at time.Time) error {
	return s.end(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE person SET removed = ?, sealed = NULL WHERE id = ?`,
			micros(at), id)
		if err := changedRow("remove person", result, err); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM agent_token WHERE workspace = (SELECT workspace FROM person WHERE id = ?)`, id)
		return failed("delete tokens of person", err)
	})
}

// AdmitPerson lets a person whom RemovePerson removed sign in again.
func (s *Store) AdmitPerson(ctx context.Context, id string) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE person SET removed = 0 WHERE id = ?`, id)
		return changedRow("admit person", result, err)
	})
}

// Tables of what a workspace owns. Those of credentials are sealed with a key that the next
// owner does not have.
var (
	ownedTables = []string{
		"log", "target", "session", "saved_call", "capture", "share", "flow", "flow_edition", "recording",
		"gateway", "story",
	}
	credentialTables = []string{"sign_in", "token", "registration", "workbench", "agent_token"}
)

// ofRoots takes from the bytes of a workspace those of its roots, of which '[]' count none.
const ofRoots = ` - octet_length(roots) + 2`

// HandOver gives what a workspace owns to another one: its recordings, servers, links,
// captures, flows and demos with their talks, but not its credentials, which are deleted.
// The error is playground.ErrNotFound if the workspace owns nothing.
func (s *Store) HandOver(ctx context.Context, from, to string, at time.Time) error {
	if from == to {
		return playground.ErrNotFound
	}
	return s.remove(ctx, ofWorkspace(from), func(ctx context.Context, tx *txn) error {
		var found string
		err := tx.QueryRowContext(ctx, `SELECT id FROM workspace WHERE id = ?`, from).Scan(&found)
		if err != nil {
			return failed("hand over workspace", notFound(err))
		}
		if _, err := insertWorkspace(ctx, tx, to, at); err != nil {
			return err
		}
		var queries []string
		for _, table := range credentialTables {
			queries = append(queries, `DELETE FROM `+table+` WHERE workspace = ?1 AND ?2 <> ''`)
		}
		for _, table := range ownedTables {
			queries = append(queries, `UPDATE `+table+` SET workspace = ?2 WHERE workspace = ?1`)
		}
		for _, q := range append(queries,
			`UPDATE workspace SET bytes = bytes + (SELECT bytes`+ofRoots+` FROM workspace WHERE id = ?1)
			 WHERE id = ?2`,
			`UPDATE workspace SET bytes = octet_length(roots) - 2 WHERE id = ?1 AND ?2 <> ''`) {
			if _, err := tx.ExecContext(ctx, q, from, to); err != nil {
				return failed("hand over workspace", err)
			}
		}
		result, err := tx.ExecContext(ctx, `DELETE FROM workspace WHERE id = ?`, from)
		return changedRow("hand over workspace", result, err)
	})
}

// Spend stores that something that works once was used, and reports whether it was not
// before. It is forgotten once it has expired.
func (s *Store) Spend(ctx context.Context, what string, now, expires time.Time) (first bool, err error) {
	err = s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM spent WHERE expires <= ?`, micros(now)); err != nil {
			return failed("forget what was spent", err)
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO spent (digest, expires) VALUES (?, ?) ON CONFLICT DO NOTHING`,
			digest(what), micros(expires))
		if err != nil {
			return failed("spend", err)
		}
		n, err := result.RowsAffected()
		first = n > 0
		return failed("spend", err)
	})
	return first && err == nil, err
}
