package db

import (
	"context"
	"sync"
	"time"
)

// A search must not read the texts of a long history. So the words of its sessions
// are kept in a vocabulary, with their endings, so that any part of a word is found,
// and with the sessions that have them. The newest sessions of a workspace are not
// in its vocabulary, and a search reads them: they still change, and putting many
// sessions into it at once costs much less than one at a time. That happens beside
// the requests, in transactions of a few milliseconds. It can be ended at any time;
// what is missing is done later.

const (
	indexDelay = time.Second // from a change to the look whether there is something to do
	indexLeast = 64          // how many sessions are missing before some are put in
	indexKept  = 16          // how many of them stay out: the newest
	indexBatch = 48          // sessions of a transaction
)

// indexer puts sessions into vocabularies until the Store is closed.
type indexer struct {
	mu      sync.Mutex
	changed map[string]bool // workspaces to look at
	wake    chan struct{}   // has an entry when changed has
	stop    context.CancelFunc
	wg      sync.WaitGroup
}

// notice makes the indexer look at a workspace.
func (x *indexer) notice(workspace string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	x.changed[workspace] = true
	x.mu.Unlock()
	select {
	case x.wake <- struct{}{}:
	default: // it is going to look
	}
}

// noticed returns the workspaces to look at, and forgets them.
func (x *indexer) noticed() map[string]bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.changed
	x.changed = map[string]bool{}
	return list
}

// close ends the indexer.
func (x *indexer) close() {
	if x != nil {
		x.stop()
		x.wg.Wait()
	}
}

// startIndexer begins with what was left to do when the last process ended.
func (s *Store) startIndexer() {
	ctx, stop := context.WithCancel(context.Background())
	x := &indexer{changed: map[string]bool{}, wake: make(chan struct{}, 1), stop: stop}
	s.indexer = x
	x.wg.Go(func() {
		if !wait(ctx, indexDelay) {
			return
		}
		left, err := queryTexts(ctx, s.read,
			`SELECT workspace FROM session WHERE indexed = 0 GROUP BY workspace HAVING count(*) >= ?`,
			indexLeast)
		s.logIndexing(ctx, err)
		for _, workspace := range left {
			x.notice(workspace)
		}
		for {
			select {
			case <-x.wake:
			case <-ctx.Done():
				return
			}
			if !wait(ctx, indexDelay) {
				return
			}
			for workspace := range x.noticed() {
				s.logIndexing(ctx, s.indexSlowly(ctx, workspace))
			}
		}
	})
}

func (s *Store) logIndexing(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil { // the next change tries again
		s.logger.Warn("index sessions", "err", err)
	}
}

// wait waits for a time and reports whether ctx goes on.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// indexSlowly puts the older sessions of a workspace into its vocabulary. Half of
// the time it leaves to others.
func (s *Store) indexSlowly(ctx context.Context, workspace string) error {
	for {
		var missing int
		err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM (
			SELECT 1 FROM session WHERE workspace = ? AND indexed = 0 LIMIT ?) missing`,
			workspace, indexLeast).Scan(&missing)
		if err != nil || missing < indexLeast {
			return failed("count sessions", err)
		}
		began := time.Now()
		if _, err := s.indexSome(ctx, workspace, indexKept); err != nil {
			return err
		}
		if !wait(ctx, time.Since(began)) {
			return nil
		}
	}
}

// Index puts all sessions of a workspace into its vocabulary at once. A search
// finds the same before and afterwards.
func (s *Store) Index(ctx context.Context, workspace string) error {
	for {
		n, err := s.indexSome(ctx, workspace, 0)
		if err != nil || n == 0 {
			return err
		}
	}
}

// indexSome puts some sessions into the vocabulary of a workspace, those first that
// changed long ago, and returns how many. At least kept sessions stay out.
func (s *Store) indexSome(ctx context.Context, workspace string, kept int) (n int, err error) {
	err = s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		ids, err := queryTexts(ctx, tx,
			`SELECT id FROM session WHERE workspace = ? AND indexed = 0 ORDER BY changed LIMIT ?`,
			workspace, indexBatch+kept)
		if n = max(0, len(ids)-kept); err != nil || n == 0 {
			return err
		}
		return indexSessions(ctx, tx, workspace, ids[:n])
	})
	return n, err
}
