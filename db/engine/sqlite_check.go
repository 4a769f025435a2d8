package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// A damaged file must not be written to, and its content must not be shown as stored. To
// read all of a large file takes long, so a start does that only with a small one, or after
// damage was noticed. Of a large one it reads the beginning of every table and index; the
// rest is read after the start. Damage that is found then, or by any query, ends all
// writing, makes /readyz fail and leaves a note beside the file, so that no later start
// opens it before it is whole.

const (
	smallFile    = 4 << 20          // bytes of a file that a start reads whole
	checkDelay   = 5 * time.Second  // from the start to reading the rest
	suspectName  = "-damaged"       // of the note, behind the path of the file
	checkTimeout = 10 * time.Minute // of a table: so long at most does the log grow meanwhile
)

// damage is why a file is not written to any more, or nothing.
type damage struct {
	mu    sync.Mutex
	found error
}

func (d *damage) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.found
}

// note keeps the first error, and reports whether this is it.
func (d *damage) note(err error) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.found != nil {
		return false
	}
	d.found = err
	return true
}

// noticeDamage makes the Store no longer write if an error says that the file is
// damaged.
func (s *sqliteFile) noticeDamage(err error) {
	if err == nil {
		return
	}
	found := damaged(err)
	if !errors.Is(found, ErrDamaged) || !s.damage.note(found) {
		return
	}
	s.logger.Error("the database is damaged, and nothing is written to it any more",
		"file", s.path, "err", err)
	if err := os.WriteFile(s.path+suspectName, nil, private); err != nil {
		s.logger.Error("note that the database is damaged", "file", s.path, "err", err)
	}
}

// checkAtStart returns ErrDamaged if a page of the file that it reads is broken.
func (s *sqliteFile) checkAtStart(ctx context.Context) error {
	_, err := os.Stat(s.path + suspectName)
	suspect := !errors.Is(err, fs.ErrNotExist)
	if suspect || s.size() <= smallFile {
		err = quickCheck(ctx, s.write, `PRAGMA quick_check(1)`)
	} else {
		err = s.checkBeginnings(ctx)
	}
	if err == nil && suspect {
		err = os.Remove(s.path + suspectName)
	}
	return err
}

// quickCheck returns ErrDamaged if a check finds a broken page.
func quickCheck(ctx context.Context, db *sql.DB, pragma string) error {
	var found string
	err := db.QueryRowContext(ctx, pragma).Scan(&found)
	if err != nil {
		return damaged(Failed("check integrity", err))
	}
	if found != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
}

// checkBeginnings looks whether the file is as long as it should be, and reads the
// schema and the way to the first row of every table and index.
func (s *sqliteFile) checkBeginnings(ctx context.Context) error {
	var want int64
	err := s.write.QueryRowContext(ctx,
		`SELECT c.page_count * z.page_size FROM pragma_page_count() c, pragma_page_size() z`).Scan(&want)
	if err != nil {
		return damaged(Failed("check integrity", err))
	}
	// What is missing may be in the log of a program that was killed.
	log, err := os.Stat(s.path + "-wal")
	if got := s.size(); got < want && (err != nil || log.Size() == 0) {
		return fmt.Errorf("%w (it has %d bytes of %d)", ErrDamaged, got, want)
	}
	names, err := s.trees(ctx)
	if err != nil {
		return damaged(err)
	}
	for _, name := range names {
		rows, err := s.write.QueryContext(ctx, `SELECT 1 FROM `+name+` LIMIT 1`)
		if err != nil {
			return damaged(Failed("check integrity", err))
		}
		rows.Next()
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return damaged(Failed("check integrity", err))
		}
	}
	return nil
}

// trees returns what a query names to read each table, and each index of one.
func (s *sqliteFile) trees(ctx context.Context) ([]string, error) {
	return Texts(ctx, s.write,
		`SELECT '"' || t.name || '" NOT INDEXED' FROM sqlite_schema t WHERE t.type = 'table'
		 UNION ALL SELECT '"' || i.tbl_name || '" INDEXED BY "' || i.name || '"' ||
		   iif(i.sql LIKE '% WHERE %', substr(i.sql, instr(i.sql, ' WHERE ')), '')
		 FROM sqlite_schema i WHERE i.type = 'index' AND i.name NOT LIKE 'sqlite_autoindex%'`)
}

// checkLater starts a goroutine that reads the file, a table with its indexes at a
// time, until Close.
func (s *sqliteFile) checkLater() {
	if s.size() <= smallFile {
		return // the start has read it
	}
	ctx, stop := context.WithCancel(context.Background())
	before := s.stop
	s.stop = func() { stop(); before() }
	s.wg.Go(func() {
		if !wait(ctx, checkDelay) {
			return
		}
		began := time.Now()
		err := s.checkTables(ctx)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, ErrDamaged):
			s.noticeDamage(err)
		case err != nil:
			s.logger.Warn("check the database", "file", s.path, "err", err)
		default:
			s.logger.Info("checked the database: it is whole", "file", s.path, "took", time.Since(began))
		}
	})
}

// checkTables checks one table after the other, and rests as long as each took.
func (s *sqliteFile) checkTables(ctx context.Context) error {
	names, err := Texts(ctx, s.read, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		return damaged(err)
	}
	for _, name := range names {
		began := time.Now()
		limited, stop := context.WithTimeout(ctx, checkTimeout)
		err := quickCheck(limited, s.read, `PRAGMA quick_check("`+name+`")`)
		late := limited.Err() != nil
		stop()
		if err != nil && (!late || ctx.Err() != nil) {
			return err
		}
		if late {
			s.logger.Warn("check the database: a table is too large", "file", s.path, "table", name)
		}
		if !wait(ctx, time.Since(began)) {
			return ctx.Err()
		}
	}
	return nil
}

// refuse returns an error of the storage if the file was found to be damaged.
func (s *sqliteFile) refuse() error {
	if err := s.damage.err(); err != nil {
		return fmt.Errorf("%w: %w", playground.ErrStorage, err)
	}
	return nil
}

// watched opens connections that report their errors.
type watched struct {
	dsn    string
	report func(error)
}

// Driver implements driver.Connector.
func (watched) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// Connect implements driver.Connector.
func (w watched) Connect(context.Context) (driver.Conn, error) {
	made, err := w.Driver().Open(w.dsn)
	if err != nil {
		w.report(err)
		return nil, err
	}
	return watchedConn{made.(*sqlite3.SQLiteConn), w.report}, nil
}

type watchedConn struct {
	*sqlite3.SQLiteConn
	report func(error)
}

// ExecContext implements driver.ExecerContext.
func (c watchedConn) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Result, error) {
	result, err := c.SQLiteConn.ExecContext(ctx, query, args)
	c.report(err)
	return result, err
}

// QueryContext implements driver.QueryerContext.
func (c watchedConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	found, err := c.SQLiteConn.QueryContext(ctx, query, args)
	c.report(err)
	if err != nil {
		return nil, err
	}
	return watchedRows{found, c.report}, nil
}

type watchedRows struct {
	driver.Rows
	report func(error)
}

// Next implements driver.Rows.
func (r watchedRows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	r.report(err)
	return err
}
