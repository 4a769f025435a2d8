//go:build linux

// Package replicas proves that several processes are one playground: three of the
// program behind nginx, on one PostgreSQL, with visitors who play everything while
// processes are killed, frozen and replaced and the database restarts.
//
//	go test -v ./e2e/replicas                     half a minute
//	MRTR_REPLICAS_TIME=10m go test -v ./e2e/replicas
//
// It needs PostgreSQL and nginx, and is skipped without them unless
// MRTR_NEED_POSTGRES is set.
package replicas
