package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// What the samples keep for all processes: tasks, and the names of tickets that
// were used. Both expire within minutes or hours and belong to no workspace. The
// names of the methods are those of sampletools.Table.

// AddTask adds a task of a sample whose work this replica does. It reports false
// if the sample, or the caller, has as many as it may have and none is over; of
// those that are over the oldest one makes room. A task that is there already is no
// error.
func (r *Replica) AddTask(
	ctx context.Context, sample, id, caller string, data []byte, ttl time.Duration, limit, part int,
) (bool, error) {
	room := false
	err := r.store.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM sample_task WHERE sample = ? AND expires <= clock_timestamp()`, sample)
		if err != nil {
			return failed("delete tasks", err)
		}
		var known bool
		err = tx.QueryRowContext(ctx,
			`SELECT EXISTS (SELECT 1 FROM sample_task WHERE id = ?)`, id).Scan(&known)
		if room = true; err != nil || known {
			return failed("add task", err)
		}
		if caller != "" {
			room, err = makeTaskRoom(ctx, tx, sample, caller, part)
		}
		if room && err == nil {
			room, err = makeTaskRoom(ctx, tx, sample, "", limit)
		}
		if err != nil {
			return err
		}
		if !room {
			return nil
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO sample_task (id, sample, caller, worker, data, expires, changed)
			 VALUES (?, ?, ?, ?, ?, clock_timestamp() + make_interval(secs => ?), clock_timestamp())`,
			id, sample, caller, r.ID(), data, ttl.Seconds())
		return failed("add task", err)
	})
	return room && err == nil, err
}

// makeTaskRoom reports whether a sample, or one caller of it, has room for another
// task, after the oldest one that is over was deleted if need be.
func makeTaskRoom(ctx context.Context, tx *txn, sample, caller string, most int) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx,
		`SELECT count(*) FROM sample_task WHERE sample = ? AND (? = '' OR caller = ?)`,
		sample, caller, caller).
		Scan(&n)
	if err != nil || n < most {
		return err == nil, failed("count tasks", err)
	}
	result, err := tx.ExecContext(ctx,
		`DELETE FROM sample_task WHERE id = (SELECT id FROM sample_task
		   WHERE sample = ? AND (? = '' OR caller = ?) AND done = 1 ORDER BY changed LIMIT 1)`,
		sample, caller, caller)
	if err != nil {
		return false, failed("delete task", err)
	}
	deleted, err := result.RowsAffected()
	return deleted > 0, failed("delete task", err)
}

// Task returns a task of a sample and its version, whether another replica does
// its work, and whether that one is gone. data is nil if there is no such task,
// or not any more.
func (r *Replica) Task(ctx context.Context, sample, id string) (
	data []byte, version int, elsewhere, orphaned bool, err error,
) {
	gone, args := r.Gone(`worker`)
	err = r.store.read.QueryRowContext(ctx,
		`SELECT data, version, `+gone+`, worker <> ?
		 FROM sample_task WHERE id = ? AND sample = ? AND expires > clock_timestamp()`,
		append(args, r.ID(), id, sample)...).Scan(&data, &version, &orphaned, &elsewhere)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, false, false, nil
	}
	return data, version, elsewhere, orphaned, failed("read task", err)
}

// TaskVersion returns the version of a task, negative if there is no such task any
// more, and whether the replica that does its work is gone.
func (r *Replica) TaskVersion(ctx context.Context, sample, id string) (
	version int, orphaned bool, err error,
) {
	gone, args := r.Gone(`worker`)
	err = r.store.read.QueryRowContext(ctx,
		`SELECT version, done = 0 AND `+gone+`
		 FROM sample_task WHERE id = ? AND sample = ? AND expires > clock_timestamp()`,
		append(args, id, sample)...).Scan(&version, &orphaned)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, false, nil
	}
	return version, orphaned, failed("read task", err)
}

// SetTask changes a task of a sample that has a version, and reports false if it
// has another one by now. With take, this replica does its work from now on.
func (r *Replica) SetTask(
	ctx context.Context, sample, id string, version int, data []byte, over, take bool,
) (bool, error) {
	result, err := r.store.db.Writer().ExecContext(ctx,
		`UPDATE sample_task SET data = ?, version = version + 1, done = ?, changed = clock_timestamp(),
		   worker = CASE WHEN ? = 1 THEN ? ELSE worker END
		 WHERE id = ? AND sample = ? AND version = ?`, data, over, take, r.ID(), id, sample, version)
	if err != nil {
		return false, failed("change task", err)
	}
	n, err := result.RowsAffected()
	return n > 0, failed("change task", err)
}

// CountTasks returns how many tasks of a sample are kept.
func (r *Replica) CountTasks(ctx context.Context, sample string) (int, error) {
	var n int
	err := r.store.read.QueryRowContext(ctx,
		`SELECT count(*) FROM sample_task WHERE sample = ? AND expires > clock_timestamp()`, sample).Scan(&n)
	return n, failed("count tasks", err)
}

// PutTicket adds a name to those of a sample, for some time. It reports false if
// the name is present, unless it was put with the same nonce, and full if the
// sample, or the caller, has as many names as it may have: dropping one early
// would permit a second use.
func (r *Replica) PutTicket(
	ctx context.Context, sample, name, value, caller, nonce string, ttl time.Duration, limit, part int,
) (first, full bool, err error) {
	err = r.store.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		first, full = false, false
		var all, own, known int
		err := tx.QueryRowContext(ctx,
			`SELECT count(*), count(*) FILTER (WHERE caller <> '' AND caller = ?),
			   count(*) FILTER (WHERE name = ?)
			 FROM sample_ticket WHERE sample = ? AND expires > clock_timestamp()`, caller, name, sample).
			Scan(&all, &own, &known)
		if err != nil {
			return failed("count tickets", err)
		}
		if full = known == 0 && (all >= limit || own >= part); full {
			return nil
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO sample_ticket AS t (sample, name, value, caller, nonce, expires)
			 VALUES (?, ?, ?, ?, ?, clock_timestamp() + make_interval(secs => ?))
			 ON CONFLICT (sample, name) DO UPDATE
			 SET value = excluded.value, caller = excluded.caller, nonce = excluded.nonce,
			   expires = excluded.expires
			 WHERE t.expires <= clock_timestamp() OR t.nonce = excluded.nonce`,
			sample, name, value, caller, nonce, ttl.Seconds())
		if err != nil {
			return failed("add ticket", err)
		}
		n, err := result.RowsAffected()
		first = n > 0
		return failed("add ticket", err)
	})
	return first, full, err
}

// Ticket returns the value that was stored with a name of a sample, and false if
// there is none, or not any more.
func (r *Replica) Ticket(ctx context.Context, sample, name string) (value string, ok bool, err error) {
	err = r.store.read.QueryRowContext(ctx,
		`SELECT value FROM sample_ticket WHERE sample = ? AND name = ? AND expires > clock_timestamp()`,
		sample, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return value, err == nil, failed("read ticket", err)
}

// TicketsOf returns the newest values, at most n, that were stored with names of a sample
// of which a word and a space are the beginning; the oldest of them first.
func (r *Replica) TicketsOf(ctx context.Context, sample, word string, n int) ([]string, error) {
	values, err := engine.Texts(ctx, r.store.read,
		`SELECT value FROM sample_ticket
		 WHERE sample = ? AND name > ? AND name < ? AND expires > clock_timestamp()
		 ORDER BY expires DESC LIMIT ?`, sample, word+" ", word+"!", n) // ! follows the space
	slices.Reverse(values)
	return values, err
}
