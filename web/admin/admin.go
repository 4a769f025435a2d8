package admin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	adminview "github.com/mrtr-playground/mrtr-playground/views/admin"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Config has the parts that the operator's pages need besides the Config.
type Config struct {
	Store    Store
	Metrics  http.Handler           // serves /metrics
	Refusals func() []usage.Refusal // by code
	Pools    func() []usage.Pool    // of other packages
}

// admin serves the operator's view. It has no sign-in: only the operator
// reaches its address.
type admin struct {
	Config
	app *web.App
}

// mostRows is how many workspaces, addresses, networks and running logs are
// listed.
const mostRows = 50

// New returns the handler of the admin address. It answers only to IP
// addresses and loopback names, so that no page of another site reaches it by
// DNS rebinding, and takes no form of another site.
func New(s *web.App, cfg Config) http.Handler {
	a := &admin{cfg, s}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", cfg.Metrics)
	mux.Handle("GET /static/", s.Assets)
	mux.HandleFunc("GET /{$}", a.page)
	mux.HandleFunc("GET /status.json", a.status)
	mux.HandleFunc("POST /purge", a.command(a.purge))
	mux.HandleFunc("POST /block", a.command(a.block))
	mux.HandleFunc("POST /unblock", a.command(a.unblock))
	mux.HandleFunc("POST /remove", a.command(a.remove))
	mux.HandleFunc("POST /hand-over", a.command(a.handOver))
	mux.HandleFunc("POST /admit", a.command(a.admit))
	protected := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", web.Policy)
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		if !isAdminHost(r.Host) {
			http.Error(w, "The admin address answers to IP addresses and loopback names only.",
				http.StatusForbidden)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// isAdminHost reports whether a Host header is an IP address or a loopback
// name.
func isAdminHost(hostport string) bool {
	_, err := netip.ParseAddr(app.HostName(hostport))
	return err == nil || app.IsLoopbackHost(hostport)
}

// state returns the state that the operator sees.
func (a *admin) state(ctx context.Context) (usage.State, error) {
	now := a.app.Now()
	st := usage.State{At: now, Refusals: a.Refusals(), Rates: a.app.Limiters.Rates(a.app.Limits, now)}
	if a.app.Mode.Shared() {
		l := a.app.Limits
		st.Limits = usage.Storage{
			Workspace: int64(l.StorageWorkspace), Address: int64(l.StorageAddress),
			Network: l.StorageNetwork(), Total: int64(l.Storage),
		}
	} else {
		st.Rates = nil
	}
	var err error
	if st.Storage, err = a.Store.StorageReport(ctx, usage.Day(now), mostRows); err != nil {
		return st, err
	}
	if st.Blocks, err = a.Store.Blocks(ctx); err != nil {
		return st, err
	}
	if st.People, err = a.people(ctx); err != nil {
		return st, err
	}
	own, err := a.pools(ctx)
	st.Pools = append(own, a.Pools()...)
	return st, err
}

// pools returns the pools of this package.
func (a *admin) pools(ctx context.Context) ([]usage.Pool, error) {
	name := func(p netip.Prefix) string {
		if !a.app.Mode.Shared() {
			return "visitors"
		}
		salt, err := a.app.Salts.Of(ctx, a.app.Store, usage.Day(a.app.Now()))
		if err != nil {
			return "unknown"
		}
		return usage.Hash(salt, p.String())
	}
	sessions, most := a.app.Checker.Running()
	owners, err := a.Store.Owners(ctx, sessions)
	if err != nil {
		return nil, err
	}
	checks := map[string]int{}
	_, turns := a.app.Reads.Count()
	for _, session := range sessions {
		checks[cmp.Or(owners[session], "deleted")]++
	}
	return []usage.Pool{
		app.PoolShown("calls, by address", a.app.Limits.CallsInAll, a.app.Outbound.Holders(name)),
		app.PoolShown("checks, by workspace", most, app.SortHolders(checks)),
		app.PoolShown("event streams, by address", a.app.Limits.Streams,
			app.HoldersOf(a.app.Streams, name)),
		app.PoolShown("large recordings being read, by address", turns, app.HoldersOf(a.app.Reads, name)),
	}, nil
}

// page shows the state.
func (a *admin) page(w http.ResponseWriter, r *http.Request) {
	st, err := a.state(r.Context())
	if err != nil {
		a.fail(w, err)
		return
	}
	var b bytes.Buffer
	if err := adminview.Page(adminview.New(st, a.app.Assets)).Render(r.Context(), &b); err != nil {
		a.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // fails if the client is gone
}

// status returns the state as JSON.
func (a *admin) status(w http.ResponseWriter, r *http.Request) {
	st, err := a.state(r.Context())
	if err != nil {
		a.fail(w, err)
		return
	}
	data, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		a.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(append(data, '\n')) // fails if the client is gone
}

func (a *admin) fail(w http.ResponseWriter, err error) {
	r := web.RefusalOf(err)
	if r.Kind >= app.Internal {
		a.app.Logger.Error("admin request failed", "err", err)
	}
	http.Error(w, r.What+" "+r.Try, int(r.Kind))
}

// maxCommand bounds the form of a command, in bytes.
const maxCommand = 4 << 10

// command runs the command of a form and leads back to the page.
func (a *admin) command(f func(*http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxCommand)
		err := r.ParseForm()
		if err != nil {
			err = web.FormError(err)
		} else {
			err = f(r)
		}
		if errors.Is(err, playground.ErrNotFound) {
			err = app.Refuse(http.StatusNotFound, "not_found",
				"There is no such workspace, person, address or block.",
				"The list may have changed. Load the page again.")
		}
		if err != nil {
			a.fail(w, err)
			return
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// purge ends what runs of a workspace and deletes it with everything in it.
func (a *admin) purge(r *http.Request) error {
	return a.purgeWorkspace(r.Context(), r.PostForm.Get("workspace"))
}

func (a *admin) purgeWorkspace(ctx context.Context, id string) error {
	if err := a.endRunning(ctx, id); err != nil {
		return err
	}
	if err := a.Store.PurgeWorkspace(ctx, id); err != nil {
		return err
	}
	a.app.Logger.Info("purged a workspace", "workspace", id)
	return nil
}

// endRunning ends what runs of a workspace.
func (a *admin) endRunning(ctx context.Context, id string) error {
	held, err := a.Store.Held(ctx, id)
	for _, running := range held {
		a.app.Checker.Stop(running)
		a.app.Runner.Cancel(running)
	}
	return err
}

// block blocks a workspace, or an address by its hash of a day.
func (a *admin) block(r *http.Request) error {
	form := r.PostForm
	kind, id := form.Get("kind"), form.Get("id")
	if id == "" {
		return noVisitor()
	}
	var err error
	switch kind {
	case usage.Workspace:
		err = a.Store.BlockWorkspace(r.Context(), id, a.app.Now())
	case usage.Address:
		day, wrong := strconv.ParseInt(form.Get("day"), 10, 64)
		if wrong != nil {
			return noVisitor()
		}
		err = a.Store.BlockAddress(r.Context(), id, day, a.app.Now())
	default:
		return noVisitor()
	}
	a.changed(err, "blocked a visitor", kind, id)
	return err
}

func (a *admin) unblock(r *http.Request) error {
	kind, id := r.PostForm.Get("kind"), r.PostForm.Get("id")
	err := a.Store.Unblock(r.Context(), kind, id)
	a.changed(err, "unblocked a visitor", kind, id)
	return err
}

// changed makes a change of the blocks count at once.
func (a *admin) changed(err error, what, kind, id string) {
	a.app.Blocked.Forget()
	if err == nil {
		a.app.Logger.Info(what, "kind", kind, "id", id)
	}
}

func noVisitor() error {
	return app.Refuse(http.StatusUnprocessableEntity, "bad_visitor", "No visitor was named.",
		"Send kind=workspace and id, or kind=address, id and day.")
}
