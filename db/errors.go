package db

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// failed returns err with the operation that it stopped, or nil if err is nil.
// A fault of the storage also becomes playground.ErrFull or ErrStorage, so that
// callers need not know the engine.
func failed(operation string, err error) error {
	if err == nil || isKept(err) {
		return err
	}
	if kind := faultOf(err); kind != nil {
		return fmt.Errorf("%s: %w: %w", operation, kind, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// faultOf returns the kind of a fault of the storage, or nil if err is not one
// or was marked before.
func faultOf(err error) error {
	if errors.Is(err, playground.ErrFull) || errors.Is(err, playground.ErrStorage) {
		return nil
	}
	if kind := sqliteFault(err); kind != nil {
		return kind
	}
	return postgresFault(err)
}

// isConflict reports whether a change failed only because of another one at the
// same time, so that it may succeed when it is tried again.
func isConflict(err error) bool {
	code := postgresCode(err)
	return errors.Is(err, errAgain) || code == serializationFailure || code == deadlockDetected
}

// notOpen turns the violation of a unique index or primary key into
// playground.ErrNotOpen: the step that a row stands for was made before.
func notOpen(err error) error {
	if isKept(err) {
		return err
	}
	code := sqliteCode(err)
	if code == sqlite3.ErrConstraintUnique || code == sqlite3.ErrConstraintPrimaryKey ||
		postgresCode(err) == uniqueViolation {
		return playground.ErrNotOpen
	}
	return err
}

// notFound turns a query without a row, and a reference to a row that is gone,
// into playground.ErrNotFound.
func notFound(err error) error {
	if isKept(err) {
		return err
	}
	if errors.Is(err, sql.ErrNoRows) || sqliteCode(err) == sqlite3.ErrConstraintForeignKey ||
		postgresCode(err) == foreignKeyViolation {
		return playground.ErrNotFound
	}
	return err
}

// changedRow returns playground.ErrNotFound if a statement changed no row.
func changedRow(operation string, result sql.Result, err error) error {
	if err != nil {
		return failed(operation, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return failed(operation, errors.Join(err, playground.ErrNotFound))
	}
	return nil
}
