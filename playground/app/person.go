package app

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/people"
)

// People says how people sign in.
type People struct {
	Provider Provider      // nil if a proxy names them
	Issuer   string        // URL of the provider's
	Header   string        // in which a trusted proxy names the person, in canonical form; "" for none
	Links    bool          // links may be read without a sign-in
	Session  time.Duration // how long a sign-in lasts
	// Keys returns the keys that encrypt the keys of people's secrets, SecretKeySize bytes each. The
	// first encrypts.
	Keys func() [][]byte
}

// Provider signs people in.
type Provider interface {
	// Begin returns the URL at which a person signs in, to open next then.
	Begin(ctx context.Context, next string) (string, people.Ticket, error)
	// Finish returns who has signed in, from the query that the browser came back with.
	Finish(ctx context.Context, t people.Ticket, answer url.Values) (people.Identity, error)
}

// PersonStore keeps the people who have signed in. One who is unknown is
// playground.ErrNotFound.
type PersonStore interface {
	Person(ctx context.Context, id string) (people.Person, error)
	PersonKnownAs(ctx context.Context, i people.Identity) (people.Person, error)
	MeetPerson(ctx context.Context, p people.Person) (people.Person, error)
	SealPerson(ctx context.Context, id string, before, sealed []byte) ([]byte, error)
	Spend(ctx context.Context, what string, now, expires time.Time) (first bool, err error)
}

// personAge is how old may be what is known of a person: so long after the operator has
// removed one, no process serves them.
const personAge = time.Second

// mostPeople is how many people are kept in memory.
const mostPeople = 10_000

// recent keeps people for personAge.
type recent struct {
	mu sync.Mutex
	m  map[string]recentPerson // by id, or by issuer and subject
}

type recentPerson struct {
	people.Person
	read time.Time
}

// get returns a person who was read a short time ago.
func (k *recent) get(key string, now time.Time) (people.Person, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.m[key]
	return p.Person, ok && now.Sub(p.read) < personAge
}

// keep keeps a person.
func (k *recent) keep(key string, p people.Person, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil || len(k.m) >= mostPeople {
		k.m = map[string]recentPerson{}
	}
	k.m[key] = recentPerson{p, now}
}

// forget makes the next use of anyone read them again.
func (k *recent) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.m = nil
}

// ForgetPeople makes what the operator changed about people count at once in this process.
func (s *App) ForgetPeople() { s.recent.forget() }

// PersonWith returns the person with an id, unless the operator has removed them.
func (s *App) PersonWith(ctx context.Context, id string) (people.Person, error) {
	p, ok := s.recent.get(id, s.Now())
	if !ok {
		var err error
		if p, err = s.Store.Person(ctx, id); err != nil {
			return p, err
		}
		s.recent.keep(id, p, s.Now())
	}
	return p, admitted(p)
}

// PersonNamed returns the person whom a trusted proxy names, with a workspace if it is the
// first time, unless the operator has removed them.
func (s *App) PersonNamed(ctx context.Context, subject string) (people.Person, error) {
	i := people.Identity{Issuer: people.ByProxy, Subject: subject}
	if !i.IsValid() {
		return people.Person{}, Refuse(
			Malformed,
			"bad_user",
			"The proxy in front of this site names no usable account.",
			"Tell the operator of this site.",
		)
	}
	if p, ok := s.recent.get(subject, s.Now()); ok {
		return p, admitted(p)
	}
	p, err := s.Store.PersonKnownAs(ctx, i)
	if errors.Is(err, playground.ErrNotFound) {
		p, err = s.meet(ctx, i)
	}
	if err != nil {
		return p, err
	}
	s.recent.keep(subject, p, s.Now())
	return p, admitted(p)
}

// meet stores someone who signs in.
func (s *App) meet(ctx context.Context, i people.Identity) (people.Person, error) {
	return s.Store.MeetPerson(ctx, people.Person{
		Identity: i, ID: s.NewID(), Workspace: s.NewID(), Created: s.Now(), Seen: s.Now(),
	})
}

// admitted returns a refusal for someone whom the operator has removed.
func admitted(p people.Person) error {
	if !p.IsRemoved() {
		return nil
	}
	return Refuse(Forbidden, "removed", "The operator of this site has removed "+p.Shown()+".",
		"If you think it is a mistake, ask the operator.")
}

// FinishSignIn returns the person whose sign-in a browser came back from. A ticket works once.
func (s *App) FinishSignIn(ctx context.Context, t people.Ticket, answer url.Values) (people.Person, error) {
	if t.State != "" && answer.Get("state") == t.State {
		first, err := s.Store.Spend(ctx, t.State, s.Now(), time.Unix(t.Until, 0))
		if err != nil {
			return people.Person{}, err
		}
		if !first {
			t = people.Ticket{}
		}
	}
	i, err := s.People.Provider.Finish(ctx, t, answer)
	if err != nil {
		return people.Person{}, err
	}
	p, err := s.meet(ctx, i)
	if err != nil {
		return p, err
	}
	s.recent.forget()
	return p, admitted(p)
}

// member is the owner of the requests of a person.
type member struct {
	app    *App
	ctx    context.Context
	person people.Person
}

// Member returns the owner of the requests of a person, from every browser.
func (s *App) Member(ctx context.Context, p people.Person) Owner { return &member{s, ctx, p} }

// Workspace returns the workspace of the person.
func (m *member) Workspace() string { return m.person.Workspace }

// NewWorkspace returns the workspace of the person.
func (m *member) NewWorkspace() (string, error) { return m.person.Workspace, nil }

// Key returns the key of the person's secrets, or nil. It is stored encrypted: every browser
// of the person must find it, and the database alone must not open it.
func (m *member) Key() []byte {
	key, _ := m.open()
	return key
}

// open returns the key of the person's secrets, and whether it is encrypted with the newest
// key.
func (m *member) open() (key []byte, newest bool) {
	for i, with := range m.app.People.Keys() {
		if key, ok := newVault(with).OpenAs(m.person.ID, m.person.Sealed); ok {
			return key, i == 0
		}
	}
	return nil, false
}

// NewKey returns the key of the person's secrets, and stores a new one if there is none that
// opens. One that an older key encrypts is encrypted again, so that that key can be retired.
func (m *member) NewKey() ([]byte, error) {
	key, newest := m.open()
	if newest {
		return key, nil
	}
	if key == nil {
		key = make([]byte, SecretKeySize)
		_, _ = rand.Read(key) // never fails
	}
	sealed := newVault(m.app.People.Keys()[0]).SealAs(m.person.ID, key)
	stored, err := m.app.Store.SealPerson(m.ctx, m.person.ID, m.person.Sealed, sealed)
	if err != nil {
		return nil, err
	}
	m.person.Sealed = stored
	m.app.recent.forget()
	if key, _ = m.open(); key == nil {
		return nil, errNoKey
	}
	return key, nil
}

// RenewKey encrypts the key of a person's secrets with the newest key, if an older one does, so
// that that one can be retired. It does nothing for other visits.
func (v *Visit) RenewKey() error {
	m, ok := v.owner.(*member)
	if !ok || m.person.Sealed == nil {
		return nil
	}
	if key, newest := m.open(); key == nil || newest {
		return nil
	}
	_, err := m.NewKey()
	return err
}
