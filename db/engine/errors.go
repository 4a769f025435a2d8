package engine

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Failed returns err with the operation that it stopped, or nil if err is nil.
// A fault of the storage also becomes playground.ErrFull or ErrStorage, so that
// callers need not know the engine.
func Failed(operation string, err error) error {
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

// IsDuplicate reports whether a statement failed because a row with its key is there
// already.
func IsDuplicate(err error) bool {
	code := sqliteCode(err)
	return !isKept(err) && (code == sqlite3.ErrConstraintUnique ||
		code == sqlite3.ErrConstraintPrimaryKey || postgresCode(err) == uniqueViolation)
}

// IsMissing reports whether a query found no row, or a statement failed because it refers
// to a row that is not there.
func IsMissing(err error) bool {
	return !isKept(err) && (errors.Is(err, sql.ErrNoRows) ||
		sqliteCode(err) == sqlite3.ErrConstraintForeignKey || postgresCode(err) == foreignKeyViolation)
}

// missing returns playground.ErrNotFound for an error of IsMissing, and else err.
func missing(err error) error {
	if IsMissing(err) {
		return playground.ErrNotFound
	}
	return err
}
