package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// people returns who has signed in; none where no one does.
func (a *admin) people(ctx context.Context) ([]usage.Person, error) {
	if a.app.People == nil {
		return nil, nil
	}
	list, err := a.Store.People(ctx, mostRows)
	rows := []usage.Person{}
	for _, p := range list {
		rows = append(rows, usage.Person{
			ID: p.ID, Name: p.Shown(), Issuer: p.Issuer, Subject: p.Subject, Workspace: p.Workspace,
			Seen: p.Seen, Removed: p.IsRemoved(),
		})
	}
	return rows, err
}

// remove ends the access of a person in every browser, and of their agents, and deletes what
// they have made.
func (a *admin) remove(r *http.Request) error {
	ctx := r.Context()
	p, err := a.Store.Person(ctx, r.PostForm.Get("person"))
	if err != nil {
		return err
	}
	if err := a.end(ctx, p.ID, p.Workspace); err != nil {
		return err
	}
	err = a.Store.PurgeWorkspace(ctx, p.Workspace)
	if errors.Is(err, playground.ErrNotFound) { // it has nothing
		err = nil
	}
	a.app.Logger.Info("removed a person", "person", p.ID)
	return err
}

// handOver is remove, but another person gets what the first one has made.
func (a *admin) handOver(r *http.Request) error {
	ctx := r.Context()
	from, err := a.Store.Person(ctx, r.PostForm.Get("person"))
	if err != nil {
		return err
	}
	to, err := a.Store.Person(ctx, r.PostForm.Get("to"))
	if err != nil || to.IsRemoved() || to.ID == from.ID {
		return errors.Join(err, playground.ErrNotFound)
	}
	if err := a.end(ctx, from.ID, from.Workspace); err != nil {
		return err
	}
	err = a.Store.HandOver(ctx, from.Workspace, to.Workspace, a.app.Now())
	if errors.Is(err, playground.ErrNotFound) { // there is nothing to hand over
		err = nil
	}
	a.app.Logger.Info("handed over the work of a person", "person", from.ID, "to", to.ID)
	return err
}

// end ends the access of a person, and what runs of theirs.
func (a *admin) end(ctx context.Context, person, workspace string) error {
	if err := a.Store.RemovePerson(ctx, person, a.app.Now()); err != nil {
		return err
	}
	a.app.ForgetPeople()
	return a.endRunning(ctx, workspace)
}

// admit lets a person who was removed sign in again.
func (a *admin) admit(r *http.Request) error {
	id := r.PostForm.Get("person")
	err := a.Store.AdmitPerson(r.Context(), id)
	a.app.ForgetPeople()
	if err == nil {
		a.app.Logger.Info("admitted a person", "person", id)
	}
	return err
}
