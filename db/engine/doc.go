// Package engine runs changes on SQLite or PostgreSQL and knows nothing of what they
// store. It has what every table needs: connections, transactions, migrations, space on
// the disk, checks and copies of a file, and, where several processes share a database,
// leases and notifications. Package db, above, has the tables and their SQL; what an
// engine must know of them stands in one Schema. No package but these two imports
// database/sql.
//
// # Changes
//
// Everything that must not be lost or half done is a Change. When DB.Change returns nil,
// the change is on the disk and survives a crash of the program and of the machine. When
// it returns an error, nothing of it is left, and the error says why in terms of package
// playground: ErrFull if there is no room, ErrStorage if the engine failed, did not answer
// or gave up in time, and else what Do returned. A caller that updates its memory before
// the change has returned shows what may never have happened.
//
// Do may run more than once, each time in a new transaction, so it must set its results
// anew and reach nothing but its Tx: a second DB.Change inside it waits, on SQLite, for
// the writer that the first one holds, which is a deadlock. Reader is no way around that,
// since it does not see what the change has written.
//
// On SQLite there is one writer. Changes that arrive while it is busy share the next
// transaction, each in a savepoint, so that a hundred callers wait for the disk once or
// twice and not a hundred times. One that fails or panics is rolled back alone. If the
// transaction is lost as a whole, each of them runs again by itself, so that no caller gets
// the error of another one. Once a change runs with others, the end of its context does
// not stop it: an interrupted statement would end the transaction of all.
//
// On PostgreSQL the changes of one Owner run one after the other, in all processes, because
// the row of the owner is locked before Do begins. Do then needs no stricter isolation
// than READ COMMITTED. A change of two owners could deadlock with another one that takes
// them in the other order; so a Change has one. Begin and lock are one message to the
// server, and statements of Tx.Later go with the next one or with the commit: a change
// waits for the network three or four times, however much it writes. An error of such a
// statement therefore appears at a later one, but names its own operation.
//
// # Queries
//
// A query is written once, with placeholders ? and ?1, booleans as 0 and 1, and texts of
// any bytes; the connections to PostgreSQL translate. A text there may hold no NUL and no
// broken UTF-8, so such bytes are escaped on their way in and unescaped on their way out:
// what was stored comes back byte for byte, but length() of it differs. A query that the
// server does not answer ends by itself. What is run as a query is tried again on another
// connection if its own is gone, and what is run as a statement is not; so a query must
// change nothing that may not be changed twice.
//
// # Schema and steps
//
// A new database gets the statements of Schema at once, and counts as having every Step.
// An older one is brought up to date a step at a time, each in one transaction, when it is
// opened; a process that is killed in the middle leaves the version before. Both must
// end in the same schema: a change of the statements without a Step would leave every
// existing database behind, and a Step that is edited after its release has already run
// elsewhere. A database with a newer version is refused (ErrNewer), because this program
// would not know what its rows mean, and one with an older version than the first step,
// too (ErrOlder). Of PostgreSQL processes that start together one migrates, and the
// others wait. It does not while a replica runs (ErrShared): that one has the statements of
// an older version.
//
// # The file of SQLite
//
// One process has a file open at a time, by a lock beside it that the operating system
// releases (ErrInUse). Its files are readable by their user only. What is deleted is
// overwritten, and pages are given back in small steps while others write; Close rewrites
// the file if something was deleted, since SQLite leaves copies of rows behind. If there
// was no time for that, the next Close does it.
//
// A full disk must still be able to shrink. So a file beside the database takes space,
// twice the largest unit that is deleted at once, which is given up for changes that delete
// or end something. While it is given up nothing else is stored: otherwise the next row
// would take the very space that the deletion needs.
//
// A damaged file is neither opened nor written (ErrDamaged). A small file is read whole at
// the start; of a large one the start reads the beginning of each tree, and the rest is
// read later. Every error of a connection is looked at, so that damage which a query meets
// first ends all writing, makes Ready fail, and leaves a note that the next start sees.
//
// # Leases
//
// Processes that share a PostgreSQL database Join as replicas. A lease names work that must
// not be done twice, and its holder. The holder renews all of its leases with one row, and
// after its life without a renewal others may take them. All times are those of the
// database: clocks of machines may differ. A replica that was itself cut off cannot tell a
// dead holder from one that it has merely not heard of, so it takes nothing until it has
// been renewed for a whole life.
//
// A change that needs the lease reads it with its own first query (Lease): asking before
// the transaction leaves a moment in which another replica takes it. What leaves the
// database, such as a request to a server, is preceded by Confirm, which closes all but
// one window: a process that is frozen for longer than its life between Confirm and the
// first byte sends what another replica has already given up.
//
// Notifications (Changed, Changes) and letters (Ask, Serve) travel by LISTEN and NOTIFY. A
// notification may be lost with its connection, so a subscriber also polls slowly; one that
// waits for a notification alone may wait for ever. After each new connection all
// subscribers are notified, since what happened before is unknown.
//
// # Design
//
// There are two engines behind one small interface, dialect: a file of SQLite with its one
// writer, and a server of PostgreSQL. What is alike stands above them once, and the driver of
// PostgreSQL is bent until it takes the queries of SQLite, rather than a layer of SQL being
// put over both. The seams to the tables are few, and are values: a Schema, an Owner, a
// Change, and conditions (Others, Gone, Lease.Columns) that become part of a query of the
// caller, so that reading a lease costs no message of its own. Of package playground, only
// the errors of storage are used here, so that callers compare one set of errors.
package engine
