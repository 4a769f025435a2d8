package db

import "context"

// Size says how much is stored.
type Size struct {
	Used       int64 // bytes, as usage.Storage counts them in all
	Free       int64 // bytes of the file that are not in use; 0 on PostgreSQL
	Workspaces int
}

// Size returns how much is stored. It reads no content.
func (s *Store) Size(ctx context.Context) (Size, error) {
	var size Size
	err := s.read.QueryRowContext(ctx,
		`SELECT `+s.db.Used()+`, `+s.db.Free()+`, (SELECT count(*) FROM workspace)`).
		Scan(&size.Used, &size.Free, &size.Workspaces)
	return size, failed("measure storage", err)
}
