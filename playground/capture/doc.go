// Package capture joins the requests of a foreign client into Exchanges. It is
// pure and judges nothing: package rules does.
//
// A Contact is one request of the client with everything that came back. Locate
// decides, while requests are recorded, which Exchange a request continues.
// Observe passes the joined requests of the client test to the rows of package
// rules whose condition is a scenario; NewReport passes the calls, and
// everything that belongs to none, to the other rules. A fault that both see is
// counted once: see Finding.CountedBy. A Board puts the lines of several runs
// together, and a Selection chooses some of them.
//
// # Contract
//
// Two requests belong together only if their bytes show it. With any server
// these are the id of a task, or the requestState, the keys and the call
// itself; a JSON-RPC id joins nothing. Join of the Decision says how certain it
// is. A request that fits no Exchange begins one of its own. One that fits only
// in part is a likely join: no rule compares its answers and its state with the
// questions of that call, because the comparison could accuse a client that
// made no mistake. Report.Unjoined counts both.
//
// Functions read records and change nothing, so a report can be made again from
// a stored or shared Session, and they may be called from several goroutines. A
// Tape belongs to one goroutine, which adds the lines in the order in which
// they were written.
//
// # Design
//
// There are two joins because there is knowledge of two kinds. In front of a
// foreign server only the protocol says which requests belong together, and
// Locate reads no more than MostOpen calls to find one, so that the price of a
// request does not grow with the record. The client test makes keys, states and
// task ids that no other call has, so Observe also joins a retry that has
// several faults, and can say which one it is.
package capture
