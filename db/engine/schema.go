package engine

// Schema is what a database is to hold, and what an engine has to know of it. On
// PostgreSQL it has the tables replica, lease and letter, which a Replica reads and writes:
// db/schema.sql, where all tables stand, says what their columns are.
type Schema struct {
	SQLite, Postgres string // the statements that make it in an empty database
	Steps            []Step // from the oldest version that is read; the last is that of the statements

	// Tables are some by which a file is known as a database of this program.
	Tables []string
	// Largest is a query on SQLite for the size in bytes of the largest unit that is
	// deleted at once, which a full disk must have room to delete.
	Largest string
	// Total is an expression on PostgreSQL for how many bytes are stored in all.
	Total string
	// Touch is a statement on PostgreSQL that writes and changes nothing.
	Touch string
	// Sweep are statements on PostgreSQL that delete what has expired. Some replica runs
	// them every minute.
	Sweep []string
}

// Step brings a database from the version before to its own, in one transaction. The
// first step of a Schema makes nothing: it is the oldest version that is read.
type Step struct {
	Version          int
	SQLite, Postgres string // the statements
}

// oldest returns the oldest version that is read.
func (s Schema) oldest() int { return s.Steps[0].Version }

// newest returns the version of the statements.
func (s Schema) newest() int { return s.Steps[len(s.Steps)-1].Version }
