package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/setup"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// SetupPath is the page that imports the settings of a client.
const SetupPath = serverview.SetupPath

// SetupPage shows the form for the settings of a client.
func (s *Pages) SetupPage(r *web.Request) error {
	return s.showSetup(r, http.StatusOK, serverview.Setup{})
}

func (s *Pages) showSetup(r *web.Request, status int, model serverview.Setup) error {
	return s.App.Render(r, status,
		serverview.SetupPage(s.App.Page(r, serverview.SetupTitle, layout.TestPath), model))
}

// ReadSetup lists the servers of a settings file. Nothing is stored, sent or started.
func (s *Pages) ReadSetup(r *web.Request) error {
	if err := s.App.LimitImports(r.Visit); err != nil {
		return err
	}
	data, err := web.UploadedOrPasted(r.Request, "text")
	if err != nil {
		return err
	}
	if err := s.App.WaitTurn(r.Visit); err != nil {
		return err
	}
	f, err := setup.Read(data)
	if err != nil {
		p := prose.SentenceCode("setup", web.SentenceCase(text.Visible(err.Error(), 300))+".",
			"Nothing was imported.")
		return s.showSetup(r, http.StatusUnprocessableEntity, serverview.Setup{Problem: &p})
	}
	return s.listSetup(r, http.StatusOK, f, nil, nil)
}

// listSetup shows the servers of a file, with what was made of those that were chosen.
func (s *Pages) listSetup(
	r *web.Request, status int, f setup.File, results []serverview.SetupResult, problem *prose.Sentence,
) error {
	sealed, err := s.App.SealSetup(r.Visit, f)
	if err != nil {
		return err
	}
	model := serverview.Setup{
		Sealed: sealed, More: f.More, Results: results, Problem: problem, Local: !s.App.Mode.Shared(),
	}
	for i, of := range f.Servers {
		model.Servers = append(model.Servers, s.setupServer(i, of))
	}
	return s.showSetup(r, status, model)
}

// setupServer returns a server of a file as the page shows it.
func (s *Pages) setupServer(i int, of setup.Server) serverview.SetupServer {
	m := serverview.SetupServer{Control: fmt.Sprintf("s%d", i), Name: of.Name, Off: of.Off}
	if of.URL == "" {
		m.Line = of.Line(s.App.Program)
		for _, v := range of.Env {
			m.Env = append(m.Env, v.Name)
		}
		return m
	}
	m.URL, m.To = redact.MaskURL(of.URL), of.Address()
	if len(setup.Variables(of.URL)) == 0 {
		if _, failure, _ := s.App.ReadAddress(of.URL); failure != nil {
			p, detail := doctor.FailureSentence(failure.Class, failure.Detail)
			m.Problem = strings.TrimSpace(p.What + " " + detail)
		}
	}
	for k, v := range variablesOf(of) {
		value := serverview.SetupValue{
			Control: fmt.Sprintf("s%d.v%d", i, k), Text: v.Text, In: placesOf(of, v.Text), Typed: true,
			Secret: !v.Known || redact.NamesSecret(v.Name, redact.Member) || v.Input,
		}
		if _, set := s.App.LookupVariable(v.Name); v.Known && !v.Input && set {
			value.Tick = "Use " + v.Name + " of the environment of this program"
		} else if v.Default != "" {
			value.Tick = "Use the default that the file gives"
		}
		m.Values = append(m.Values, value)
	}
	for k, h := range of.Header {
		if len(setup.Variables(h.Value)) == 0 {
			m.Values = append(m.Values, serverview.SetupValue{
				Control: fmt.Sprintf("s%d.h%d", i, k), Text: h.Name, In: "header " + h.Name,
				Tick: "Use the value in the file, " + text.Plural(len([]rune(h.Value)), "character"),
			})
		}
	}
	return m
}

// variablesOf returns the variables of a server, each once.
func variablesOf(of setup.Server) []setup.Variable {
	all := of.URL
	for _, h := range of.Header {
		all += "\n" + h.Value
	}
	return setup.Variables(all)
}

// placesOf says where a variable stands.
func placesOf(of setup.Server, written string) string {
	var places []string
	if strings.Contains(of.URL, written) {
		places = append(places, "the URL")
	}
	for _, h := range of.Header {
		if strings.Contains(h.Value, written) {
			places = append(places, "header "+h.Name)
		}
	}
	return strings.Join(places, ", ")
}

// AddSetup adds the servers that were ticked, with the values that were ticked or entered.
func (s *Pages) AddSetup(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	f, err := s.App.OpenSetup(r.Visit, values.Get("settings"))
	if err != nil {
		return err
	}
	var results []serverview.SetupResult
	var problem *prose.Sentence
	for i, of := range f.Servers {
		if of.URL == "" || !values.Has(fmt.Sprintf("s%d", i)) {
			continue
		}
		result, err := s.addFromSetup(r, i, of, values)
		var refused *app.Refusal
		switch {
		case errors.As(err, &refused) && refused.Kind == app.TooOften:
			problem = web.SentenceOf(refused)
		case err != nil:
			return err
		default:
			results = append(results, result)
			continue
		}
		break
	}
	if len(results) == 0 && problem == nil {
		p := prose.SentenceCode("nothing_selected", "No server is ticked.",
			"Tick the servers to connect to first.")
		return s.listSetup(r, http.StatusUnprocessableEntity, f, nil, &p)
	}
	if len(results) == 1 && problem == nil && results[0].Path != "" && len(results[0].Left) == 0 {
		return web.SeeOther(r, results[0].Path)
	}
	return s.listSetup(r, http.StatusOK, f, results, problem)
}

// addFromSetup adds one server. What is wrong with it is a part of the result.
func (s *Pages) addFromSetup(
	r *web.Request, i int, of setup.Server, values url.Values,
) (serverview.SetupResult, error) {
	result := serverview.SetupResult{Name: of.Name}
	c := app.SetupChoice{Literals: map[int]bool{}, Values: map[string]string{}}
	for k, v := range variablesOf(of) {
		control := fmt.Sprintf("s%d.v%d", i, k)
		if typed := values.Get(control + ".typed"); typed != "" {
			c.Values[v.Text] = typed
			continue
		}
		if !values.Has(control) {
			continue
		}
		if value, ok := s.App.LookupVariable(v.Name); ok && v.Known && !v.Input {
			c.Values[v.Text] = value
		} else if v.Default != "" {
			c.Values[v.Text] = v.Default
		}
	}
	for k := range of.Header {
		c.Literals[k] = values.Has(fmt.Sprintf("s%d.h%d", i, k))
	}
	address, header, left, err := app.FillSetup(of, c)
	var refused *app.Refusal
	if errors.As(err, &refused) {
		result.Problem = refused.What + " " + refused.Try
		return result, nil
	}
	at, failure, _ := s.App.ReadAddress(address)
	if failure != nil {
		p, detail := doctor.FailureSentence(failure.Class, failure.Detail)
		result.Problem = strings.TrimSpace(p.What + " " + detail)
		return result, nil
	}
	t, err := s.App.AddFromSetup(r.Visit, at, header, eraOf(of))
	if err != nil {
		return result, err
	}
	result.Path, result.Left = "/servers/"+t.ID, left
	return result, nil
}

// eraOf returns the era that a file says, or "" to detect it.
func eraOf(of setup.Server) playground.Era {
	if of.Legacy {
		return playground.Legacy
	}
	return ""
}
