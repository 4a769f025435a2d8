package stage_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// presentLocally starts a talk with one click on the page of a demo in local mode.
func presentLocally(s *sitetest.Site, slug string) *talk {
	s.T.Helper()
	s.Page("/demos/"+slug).Has(s.T, `[data-do="talk"]`)
	invitation := s.Follow("/demos/"+slug, url.Values{"do": {"talk"}})
	invitation.Has(s.T, ".talk-code svg", `[data-do="end"]`)
	u, err := url.Parse(sitetest.Value(s.T, invitation.Body, ".talk-url a", "href"))
	sitetest.Check(s.T, err)
	return &talk{Site: s, path: strings.TrimSuffix(s.Last, "/talk"), link: u.Path}
}

// closes waits until the listener for phones is closed.
func closes(t *testing.T, p *sitetest.Phones) {
	t.Helper()
	sitetest.Await(t, func() string {
		if p.URL() != "" {
			return "the listener for phones stays open"
		}
		return ""
	})
}

// TestTalk_OpensAnAddressForPhones: in local mode the first talk opens the listener for
// phones, before anything is presented. It stays open when the demo starts over, and closes
// with the last talk, whose followers see the end.
func TestTalk_OpensAnAddressForPhones(t *testing.T) {
	t.Parallel()
	s, phones := sitetest.NewLocal(t)
	s.Follow("/demos/rolling-upgrade", nil)
	other, _, _ := strings.Cut(s.Last, "?")
	s.Page(other+"/talk").Has(t, `[data-do="start"]`)
	s.Page(other+"?present=1").Has(t, `[data-do="talk"]`)
	if phones.URL() != "" {
		t.Fatal("the listener is open before a talk starts")
	}
	k := presentLocally(s, "azure-devops")
	invitation := s.Page(k.path + "/talk")
	if link := sitetest.Value(t, invitation.Body, ".talk-url a", "href"); link != phones.URL()+k.link {
		t.Errorf("the link is %s, the listener has %s", link, phones.URL())
	}
	port := phones.URL()[strings.LastIndexByte(phones.URL(), ':')+1:]
	if words := invitation.HTML().Texts("[data-firewall]"); len(words) != 1 ||
		!strings.Contains(words[0], "block port "+port) {
		t.Errorf("about firewalls: %q", words)
	}
	slide := s.Page(k.path + "/talk?present=1")
	slide.Has(t, ".talk-code svg", ".talk-url a")
	slide.HasNot(t, "[data-firewall]")
	s.Page(k.path+"?present=1").Has(t, `[data-talk]`)

	there := &sitetest.Site{T: t, URL: phones.URL(), Client: s.Client}
	f := followAt(there, k.link, "")
	f.until("1")
	k.press("next")
	f.until("2")
	s.Follow(other+"/talk", url.Values{"do": {"start"}})
	session := k.path[strings.LastIndexByte(k.path, '/')+1:]
	s.Follow("/demos/azure-devops", url.Values{"talk": {session}})
	k.path, _, _ = strings.Cut(s.Last, "?")
	f.until("1")

	s.Follow(other+"/talk", url.Values{"do": {"end"}})
	k.press("next")
	f.until("2")
	s.Follow(k.path+"/talk", url.Values{"do": {"end"}})
	event, html := f.next()
	for event == "step" || event == "here" {
		event, html = f.next()
	}
	if event != "ended" || !htmltest.Parse(html).Has("[data-ended]") {
		t.Errorf("the follower hears %q: %s", event, html)
	}
	closes(t, phones)
	s.Page(k.path).Has(t, `[data-do="talk"]`)
	s.NoErrors()
}

// TestTalk_ClosesWithTheStage: a talk also ends when its stage is deleted.
func TestTalk_ClosesWithTheStage(t *testing.T) {
	t.Parallel()
	s, phones := sitetest.NewLocal(t)
	k := presentLocally(s, "azure-devops")
	s.Follow("/sessions/"+k.path[strings.LastIndexByte(k.path, '/')+1:]+"/delete", nil)
	closes(t, phones)
}

// TestTalk_OpensAgainWithAClick: after a restart a talk goes on, but nothing opens its address
// except the presenter. The code stays.
func TestTalk_OpensAgainWithAClick(t *testing.T) {
	t.Parallel()
	s, phones := sitetest.NewLocal(t)
	k := presentLocally(s, "azure-devops")
	phones.Close() // as a restart does
	got := s.Page(k.path + "/talk")
	got.Has(t, "[data-closed]", `[data-do="start"]`)
	got.HasNot(t, ".talk-code", ".talk-url")
	stage := s.Page(k.path + "?present=1")
	stage.Has(t, `[data-do="talk"]`)
	stage.HasNot(t, "[data-talk]")
	if phones.URL() != "" {
		t.Error("reading a page opens the listener")
	}
	again := s.Follow(k.path+"/talk", url.Values{"do": {"start"}})
	if link := sitetest.Value(t, again.Body, ".talk-url a", "href"); link != phones.URL()+k.link {
		t.Errorf("the link is %s, it was %s", link, k.link)
	}
	s.Follow(k.path+"/talk", url.Values{"do": {"end"}})
	closes(t, phones)
}

// TestTalk_WithoutANetwork: where no address can be opened, the click is answered with words,
// there is no talk, and the demo goes on.
func TestTalk_WithoutANetwork(t *testing.T) {
	t.Parallel()
	for code, err := range map[string]error{
		"no_network": app.ErrNoNetwork, "no_room_address": errors.New("listen tcp: permission denied"),
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			s, phones := sitetest.NewLocal(t)
			phones.Fail(err)
			s.Follow("/demos/azure-devops", nil)
			stage, _, _ := strings.Cut(s.Last, "?")
			got := s.Follow(stage+"/talk", url.Values{"do": {"start"}})
			sitetest.IsRefusal(t, "the click", got, http.StatusConflict, code)
			k := &talk{Site: s, path: stage}
			s.Page(stage).HasNot(t, "[data-talk]")
			if step := k.press("next"); step != "2" {
				t.Errorf("the demo is at step %s", step)
			}
			phones.Fail(nil)
			s.Follow(stage+"/talk", url.Values{"do": {"start"}}).Has(t, ".talk-code svg")
			s.NoErrors()
		})
	}
}
