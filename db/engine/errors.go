package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
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

// sqliteFault returns the kind of a fault of SQLite, or nil if err is not one.
func sqliteFault(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
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

// sqliteCode returns the extended code of an error of SQLite, or 0.
func sqliteCode(err error) sqlite3.ErrNoExtended {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.ExtendedCode
	}
	return 0
}

// The SQLSTATE codes of errors that a change expects.
const (
	uniqueViolation      = "23505"
	foreignKeyViolation  = "23503"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

// postgresCode returns the SQLSTATE code of an error of PostgreSQL, or "".
func postgresCode(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// postgresFault returns the kind of a fault of PostgreSQL or of the connection
// to it, or nil if err is not one.
func postgresFault(err error) error {
	code := postgresCode(err)
	if code == "53100" { // disk_full
		return playground.ErrFull
	}
	for _, class := range []string{
		"08",    // connection exceptions
		"25006", // read-only, such as a standby
		"25P03", // was idle in a transaction for too long
		"28",    // the role or its password is refused
		"3D",    // the database does not exist
		"40",    // conflicts that remain after all attempts
		"42501", // insufficient privilege
		"53",    // out of memory or connections
		"55P03", // lock not available
		"57",    // shut down, starting up, or cancelled by a timeout
		"58",    // system error, such as an I/O error
		"XX",    // corrupted data
	} {
		if strings.HasPrefix(code, class) {
			return playground.ErrStorage
		}
	}
	var lost *lostError
	if errors.As(err, &lost) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, errAgain) {
		return playground.ErrStorage
	}
	return nil
}

// errAgain is the error of a change that has to be tried again because another
// one made or deleted the owner meanwhile.
var errAgain = errors.New("another change made or deleted the owner")

// keptError is the error of a statement that was kept, as fail made it. The statement
// that was sent with it has no part in it.
type keptError struct{ err error }

func (e *keptError) Error() string { return e.err.Error() }

func (e *keptError) Unwrap() error { return e.err }

// isKept reports whether an error says already what failed.
func isKept(err error) bool {
	var kept *keptError
	return errors.As(err, &kept)
}

// lostError is the error of a connection that failed, or did not answer.
type lostError struct{ err error }

func (e *lostError) Error() string { return e.err.Error() }

func (e *lostError) Unwrap() error { return e.err }

// lost marks an error that did not come from the server as that of a lost
// connection, unless the caller ended ctx.
func lost(ctx context.Context, err error) error {
	var fromServer *pgconn.PgError
	if err == nil || errors.As(err, &fromServer) || errors.Is(ctx.Err(), context.Canceled) ||
		errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return &lostError{err}
}

// ErrDamaged is the error for a file of SQLite that is not whole.
var ErrDamaged = fmt.Errorf(
	"%w: restore it from a copy, or move it away to begin with an empty one", playground.ErrDamaged)

// damaged marks an error of SQLite about the content of a file.
func damaged(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB) {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}
