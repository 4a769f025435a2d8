package client

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// file is a format of the report on a client, the same as in a terminal.
type file struct {
	web.Download
	write func(capture.Board) ([]byte, error)
}

// files are the formats by suffix.
var files = []file{
	{web.Download{Suffix: ".json", ContentType: "application/json", Saved: true},
		func(b capture.Board) ([]byte, error) {
			var out bytes.Buffer
			err := verdict.WriteJSON(&out, b.Document())
			return out.Bytes(), err
		}},
	{web.Download{Suffix: ".xml", ContentType: "application/xml; charset=utf-8", Saved: true},
		func(b capture.Board) ([]byte, error) {
			var out bytes.Buffer
			err := b.Verdict().WriteJUnit(&out)
			return out.Bytes(), err
		}},
	{web.Download{Suffix: ".md", ContentType: "text/markdown; charset=utf-8", Saved: true},
		func(b capture.Board) ([]byte, error) { return b.Verdict().Markdown(), nil }},
}

// ClientOrFile shows the record of a capture or, if the path has a suffix,
// sends the report as a file, in which texts that look like secrets are masked.
func (s *Pages) ClientOrFile(r *web.Request) error {
	id, suffix, found := strings.Cut(r.Param("id"), ".")
	if !found {
		return s.client(r)
	}
	i := slices.IndexFunc(files, func(f file) bool { return f.Suffix == "."+suffix })
	if i < 0 {
		return app.NotFound()
	}
	rec, err := s.read(r, id)
	if err != nil {
		return err
	}
	if err := s.App.WaitTurn(r.Visit); err != nil {
		return err
	}
	n := rec.session
	n.Exchanges = rec.all()
	// who knows the address of a visitor's flow can call it
	o := share.Options{Credentials: app.FlowTokens([]playground.Exchange{{Target: rec.capture.Target}})}
	key := web.DigestOfFile(n, o, "client "+rec.ended()+files[i].Suffix)
	data, err := s.App.Made.File(key, func() ([]byte, error) { return files[i].write(masked(rec.board(), n, o)) })
	if err != nil {
		return err
	}
	return s.App.Blob(r, files[i].Download, n.Title, data)
}

// masked returns a board in which what looks like a secret is masked, in the requests and
// wherever a text repeats it. The last exchange of n has the capture's own log.
func masked(b capture.Board, n session.Session, o share.Options) capture.Board {
	b.Clients, b.Runs = slices.Clone(b.Clients), slices.Clone(b.Runs)
	var words playground.Exchange
	for _, text := range texts(&b) {
		words.Log = append(words.Log, playground.Event{Kind: playground.Failed, Data: []byte(*text)})
	}
	n.Exchanges = append(slices.Clip(n.Exchanges), words)
	public := share.NewSnapshot(n, o).Session.Exchanges
	last := len(public) - 1
	for i, text := range texts(&b) {
		*text = string(public[last].Log[i].Data)
	}
	for i := range b.Runs {
		b.Runs[i].Report = capture.NewReport(session.Session{Exchanges: public[:last-1]}, public[last-1].Log)
	}
	return b
}

// texts returns the texts of a board that may repeat recorded bytes.
func texts(b *capture.Board) []*string {
	list := []*string{&b.Server}
	for i := range b.Clients {
		list = append(list, &b.Clients[i])
	}
	for _, lines := range [][]verdict.Line{b.Checks, b.Rules, b.Behind} {
		for i := range lines {
			w := &lines[i].Place
			list = append(list, &lines[i].Sentence, &w.Method, &w.Name, &w.Header)
			for k := range w.Path {
				list = append(list, &w.Path[k])
			}
		}
	}
	return list
}
