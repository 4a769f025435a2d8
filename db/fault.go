package db

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// failed says what could not be done, and for those who know no SQL which kind
// of fault it was: playground.ErrFull, playground.ErrStorage, or none of the
// two. It is nil when err is.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	if kind := faultOf(err); kind != nil {
		return fmt.Errorf("%s: %w: %w", what, kind, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// faultOf is the kind of a fault of the storage; nil for everything else.
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

// isUnique reports whether err is a broken uniqueness rule.
func isUnique(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

// one maps "no such row" to playground.ErrNotFound.
func one(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return playground.ErrNotFound
	}
	return err
}
