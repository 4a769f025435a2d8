package app

import (
	"time"
)

// Limits bound what comes in. Sizes hold in every mode, rates and numbers of
// calls in public mode only. The zero value means DefaultLimits.
type Limits struct {
	Body    int // bytes of a form
	Fields  int // controls of a form
	Share   int // bytes of a snapshot
	Session int // bytes in the logs of a session; beyond, no further Round begins
	Saved   int // calls that a workspace keeps under a name
	Stories int // demos that a workspace has written

	Pages       Rate // pages and files for one workspace
	Parts       Rate // requests that pages make by themselves: fragments and event streams
	Calls       Rate // calls started by one workspace, to samples too
	Shares      Rate // links made by one workspace
	Imports     Rate // recordings imported or forked by one workspace
	Samples     Rate // requests of other clients to the samples, from one address
	WrongLinks  Rate // invalid share links, from one address
	SignInPages Rate // pages for someone who has not signed in, from one address
	FollowPages Rate // pages and event streams of talks, from one address, which may be that of a hall
	Crowd       int  // limit of an address as a multiple of a workspace's, but for calls at the same time

	// Of a person who signs in, in place of Pages, Calls, CallsOfWorkspace and
	// StorageWorkspace: see ForPeople.
	PersonPages, PersonCalls       Rate
	PersonCallsOpen, PersonStorage int

	// Bytes stored. A tenth of Storage is out of reach for strangers.
	StorageWorkspace int // by one workspace
	StorageAddress   int // by one address on one day; its network has networkShare times that
	Storage          int // in all
	StorageLocal     int // in all, in the other modes

	Flows      int // of a workspace
	Recordings int // of a workspace, that are served

	Captures        int  // open addresses of a workspace
	CapturesAddress Rate // addresses made from one address
	CapturedOpen    int  // requests that one capture passes on at once
	Captured        Rate // requests to one capture in front of our own servers
	CapturedOthers  Rate // requests to one capture in front of others

	Checks  int // that run at once
	Streams int // event streams of pages that are open at once

	Followers      int // event streams of the talks of one presenter in this process, also of one address
	FollowersInAll int // of all talks

	Reads      int // requests that work on a large recording at once; 0 means one per core
	ReadsQueue int // requests that wait for it

	// Concurrent calls to servers other than the samples.
	CallsOfWorkspace, CallsOfAddress, CallsToHost, CallsInAll int
}

// pageShare is the largest page that is a file of its own as a multiple of the recording
// in it, both at their most: it shows each message formatted, byte for byte and in pictures.
const pageShare = 8

// Page returns the limit of a page that is a file of its own, in bytes.
func (l Limits) Page() int { return pageShare * l.Share }

// Import returns the limit of a file to import, in bytes. What can be downloaded must
// come back: the JSON file and the page.
func (l Limits) Import() int { return max(l.Session, l.Page()) }

// DefaultLimits returns the limits that hold unless others are configured.
func DefaultLimits() Limits {
	return Limits{
		Body:    512 << 10,
		Fields:  999,
		Share:   1 << 20,
		Session: 2 << 20,
		Saved:   200,
		Stories: 50,

		Pages:       Rate{N: 60, Per: time.Minute, Burst: 30},
		Parts:       Rate{N: 300, Per: time.Minute, Burst: 100},
		Calls:       Rate{N: 20, Per: time.Minute, Burst: 20},
		Shares:      Rate{N: 10, Per: time.Hour, Burst: 10},
		Samples:     Rate{N: 300, Per: time.Minute, Burst: 150},
		Imports:     Rate{N: 20, Per: time.Hour, Burst: 20},
		WrongLinks:  Rate{N: 30, Per: 10 * time.Minute, Burst: 30},
		FollowPages: Rate{N: 600, Per: time.Second, Burst: 1200},
		SignInPages: Rate{N: 1200, Per: time.Minute, Burst: 1200},
		Crowd:       5,

		PersonPages:     Rate{N: 120, Per: time.Minute, Burst: 60},
		PersonCalls:     Rate{N: 40, Per: time.Minute, Burst: 40},
		PersonCallsOpen: 4,
		PersonStorage:   200 << 20,

		Flows: 20, Recordings: 20,

		Captures:        20,
		CapturesAddress: Rate{N: 40, Per: time.Hour, Burst: 40},
		CapturedOpen:    8,
		Captured:        Rate{N: 600, Per: time.Minute, Burst: 150},
		CapturedOthers:  Rate{N: 60, Per: time.Minute, Burst: 60},

		Checks:           4,
		Streams:          1024,
		Followers:        500,
		FollowersInAll:   2000,
		ReadsQueue:       32,
		StorageWorkspace: 50 << 20,
		StorageAddress:   100 << 20,
		Storage:          5 << 30,
		StorageLocal:     20 << 30,

		CallsOfWorkspace: 2,
		CallsOfAddress:   4,
		CallsToHost:      8,
		CallsInAll:       64,
	}
}

// leastOwn is the least that a share of what one visitor may hold can be.
const leastOwn = 2

// Over returns the limits for one of n processes that share the visitors evenly:
// a share of each rate, and of each pool that is kept in memory. What is stored is
// counted in all processes together.
func (l Limits) Over(n int) Limits {
	if n <= 1 {
		return l
	}
	for _, r := range []*Rate{
		&l.Pages, &l.Parts, &l.Calls, &l.Shares, &l.Imports, &l.Samples, &l.WrongLinks,
		&l.FollowPages, &l.SignInPages, &l.PersonPages, &l.PersonCalls,
		&l.CapturesAddress, &l.Captured, &l.CapturedOthers,
	} {
		*r = r.over(n)
	}
	share := func(p *int, least int) { *p = max((*p+n-1)/n, min(*p, least)) }
	for _, p := range []*int{&l.Checks, &l.Streams, &l.CallsToHost, &l.CallsInAll, &l.CapturedOpen} {
		share(p, 1)
	}
	share(&l.FollowersInAll, l.Followers) // a hall may be at one process
	share(&l.CallsOfWorkspace, leastOwn)
	share(&l.PersonCallsOpen, leastOwn)
	share(&l.CallsOfAddress, leastOwn)
	return l
}

// ForPeople returns the limits where every workspace is that of a person.
func (l Limits) ForPeople() Limits {
	l.Pages, l.Calls = l.PersonPages, l.PersonCalls
	l.CallsOfWorkspace, l.StorageWorkspace = l.PersonCallsOpen, l.PersonStorage
	return l
}

func (l Limits) orDefaults() Limits {
	if l == (Limits{}) {
		return DefaultLimits()
	}
	return l
}
