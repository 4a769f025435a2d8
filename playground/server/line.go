package server

// Row is one of the user's servers in a list.
type Row struct {
	ID, Name, URL, Status string
	ReportedName          string // what it says it is; empty when it never said
}
