package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Watch shows what a server sends by itself, as it comes: in events for the script of its page,
// and without script as a page that goes on until its reader leaves it.
func (s *Pages) Watch(r *web.Request) error {
	w, err := s.App.Watch(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	defer w.Stop()
	var out watcher = &watchEvents{r: r}
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		page := s.App.Page(r, "Watching "+w.Server.Target.Name, layout.TestPath)
		page.Here = "/servers/" + w.Server.Target.ID
		out = &watchPage{r: r, page: serverview.WatchPage(page, w.Server.Target.Name, page.Here)}
	}
	if err := out.begin(); err != nil {
		return err
	}
	return s.follow(r, w, out)
}

// follow writes what comes until watching ends.
func (s *Pages) follow(r *web.Request, w app.Watched, out watcher) error {
	tick := time.NewTicker(web.Heartbeat)
	defer tick.Stop()
	began, failed, responded := s.App.Now(), false, false
	for {
		select {
		case e, open := <-w.Events:
			if !open {
				if failed {
					return out.end()
				}
				lasted := s.App.Now().Sub(began)
				return finish(out, serverview.WatchEnd(s.App.Now(), endWords(lasted),
					!responded && lasted < app.WatchLife))
			}
			item, shown := serverview.NewWatchItem(e)
			failed, responded = failed || item.Kind == "end", responded || item.Ends
			if !shown {
				continue
			}
			if err := out.item(item); err != nil {
				return nil // the reader has left
			}
		case <-tick.C:
			if out.alive() != nil {
				return nil
			}
		case <-r.Context().Done():
			return nil
		}
	}
}

// endWords says why watching has ended without a failure.
func endWords(lasted time.Duration) string {
	if lasted >= app.WatchLife {
		return "Ten minutes are over. Watch again to go on."
	}
	return "The server has closed the stream. Watch again to open another one."
}

func finish(out watcher, item serverview.WatchItem) error {
	if err := out.item(item); err != nil {
		return nil
	}
	return out.end()
}

// watcher writes what comes to a reader.
type watcher interface {
	begin() error
	item(w serverview.WatchItem) error
	alive() error
	end() error
}

// watchEvents writes events.
type watchEvents struct {
	r *web.Request
	w web.Writer
}

func (e *watchEvents) begin() error {
	e.w = web.OpenStream(e.r)
	return nil
}

func (e *watchEvents) item(item serverview.WatchItem) error {
	var b bytes.Buffer
	if err := serverview.WatchItemView(item).Render(e.r.Context(), &b); err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("event: item\n")
	for line := range strings.SplitSeq(b.String(), "\n") {
		out.WriteString("data: " + line + "\n")
	}
	return write(e.w, out.String()+"\n")
}

func (e *watchEvents) alive() error { return write(e.w, ": still watching\n\n") }

func (e *watchEvents) end() error { return write(e.w, "event: ended\ndata: now\n\n") }

func write(w web.Writer, words string) error {
	_, err := fmt.Fprint(w, words)
	w.Flush()
	return err
}

// watchPage writes a page that goes on.
type watchPage struct {
	r    *web.Request
	page templ.Component
	rest string
}

func (p *watchPage) begin() error {
	var b bytes.Buffer
	if err := p.page.Render(p.r.Context(), &b); err != nil {
		return err
	}
	first, rest, _ := strings.Cut(b.String(), serverview.WatchMark)
	p.rest = rest
	h := p.r.Writer.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	p.r.Writer.WriteHeader(http.StatusOK)
	return write(p.r.Writer, first)
}

func (p *watchPage) item(item serverview.WatchItem) error {
	var b bytes.Buffer
	if err := serverview.WatchItemView(item).Render(p.r.Context(), &b); err != nil {
		return err
	}
	return write(p.r.Writer, b.String()+"\n")
}

func (p *watchPage) alive() error { return write(p.r.Writer, "<!-- still watching -->\n") }

func (p *watchPage) end() error { return write(p.r.Writer, p.rest) }
