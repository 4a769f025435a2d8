package db

import (
	"database/sql"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// failed returns err with the operation that it stopped, or nil if err is nil.
func failed(operation string, err error) error { return engine.Failed(operation, err) }

// notOpen turns the violation of a unique index or primary key into
// playground.ErrNotOpen: the step that a row stands for was made before.
func notOpen(err error) error {
	if engine.IsDuplicate(err) {
		return playground.ErrNotOpen
	}
	return err
}

// notFound turns a query without a row, and a reference to a row that is gone,
// into playground.ErrNotFound.
func notFound(err error) error {
	if engine.IsMissing(err) {
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
