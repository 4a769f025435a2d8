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
// callers need not know SQLite.
func failed(operation string, err error) error {
	if err == nil {
		return nil
	}
	if kind := faultOf(err); kind != nil {
		return fmt.Errorf("%s: %w: %w", operation, kind, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// faultOf returns the kind of a fault of the storage, or nil if err is not one
// or was marked before.
func faultOf(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) || errors.Is(err, playground.ErrFull) || errors.Is(err, playground.ErrStorage) {
		return nil
	}
	switch e.Code {
	case sqlite3.ErrFull:
		return playground.ErrFull
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen,
		sqlite3.ErrIoErr, sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrNomem, sqlite3.ErrProtocol:
		return playground.ErrStorage
	}
	return nil
}

// isUnique reports whether err is the violation of a unique index or primary
// key.
func isUnique(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) &&
		(e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

// notOpen turns the violation of a unique index into playground.ErrNotOpen: the
// step that a row stands for was made before.
func notOpen(err error) error {
	if isUnique(err) {
		return playground.ErrNotOpen
	}
	return err
}

// notFound turns a query without a row, and a reference to a row that is gone,
// into playground.ErrNotFound.
func notFound(err error) error {
	var e sqlite3.Error
	gone := errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrConstraintForeignKey
	if gone || errors.Is(err, sql.ErrNoRows) {
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
