package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// interfaceOf returns an interface with addresses. The first one has a route if routed.
func interfaceOf(flags net.Flags, routed bool, addrs ...string) networkInterface {
	i := networkInterface{flags: flags | net.FlagUp}
	for _, a := range addrs {
		i.addrs = append(i.addrs, netip.MustParseAddr(a))
	}
	if routed {
		i.routed = i.addrs[0]
	}
	return i
}

// TestPhonesAddress_IsThatOfTheRoom: of the addresses of this machine, phones most likely
// reach the private one with a route that is no tunnel.
func TestPhonesAddress_IsThatOfTheRoom(t *testing.T) {
	loopback := interfaceOf(net.FlagLoopback, false, "127.0.0.1", "::1")
	wifi := interfaceOf(net.FlagBroadcast, true, "192.168.1.20", "fe80::1", "2001:db8::20")
	unrouted := interfaceOf(net.FlagBroadcast, false, "192.168.1.20", "fe80::1")
	machines := interfaceOf(net.FlagBroadcast, false, "172.17.0.1")
	tunnel := interfaceOf(net.FlagPointToPoint, true, "10.8.0.2")
	local := interfaceOf(net.FlagBroadcast, false, "fe80::1", "fd00::2")
	waiting := interfaceOf(net.FlagBroadcast, false, "169.254.3.4", "fe80::1")
	campus := interfaceOf(net.FlagBroadcast, true, "203.0.113.20")
	for name, tt := range map[string]struct {
		at   string
		own  []networkInterface
		want string
	}{
		"at home":                    {":0", []networkInterface{loopback, wifi}, "192.168.1.20:0"},
		"with a port":                {":2323", []networkInterface{loopback, wifi}, "192.168.1.20:2323"},
		"beside virtual machines":    {":0", []networkInterface{machines, wifi}, "192.168.1.20:0"},
		"behind a tunnel":            {":0", []networkInterface{tunnel, unrouted}, "192.168.1.20:0"},
		"a tunnel alone":             {":0", []networkInterface{loopback, tunnel}, "10.8.0.2:0"},
		"with a public address":      {":0", []networkInterface{loopback, campus}, "203.0.113.20:0"},
		"private before public":      {":0", []networkInterface{campus, unrouted}, "192.168.1.20:0"},
		"IPv6 alone":                 {":0", []networkInterface{local}, "[fd00::2]:0"},
		"the one that is named":      {"10.0.0.7:0", []networkInterface{wifi}, "10.0.0.7:0"},
		"no network":                 {":0", []networkInterface{loopback}, ""},
		"no address from the router": {":0", []networkInterface{loopback, waiting}, ""},
	} {
		got, err := phonesAddress(tt.at, tt.own)
		if got != tt.want || (tt.want == "") != errors.Is(err, app.ErrNoNetwork) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

// phonesOn returns a listener for phones whose machine has the interfaces that list returns.
func phonesOn(list func() ([]networkInterface, error)) *phones {
	return &phones{at: "127.0.0.1:0", interfaces: list,
		serve: func(ctx context.Context, l net.Listener) (*http.Server, net.Listener) {
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})
			return &http.Server{Handler: endStreams(ctx, h)}, l
		}}
}

// TestPhones_OpenAndClose: the listener has one address until it is closed, and none after the
// end of the program, which also ends the streams of followers.
func TestPhones_OpenAndClose(t *testing.T) {
	p := phonesOn(ownInterfaces)
	if p.URL() != "" {
		t.Error("it is open at first")
	}
	p.Close()
	closed, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	at := p.URL()
	if again, err := p.Open(); err != nil || again != closed || p.URL() != at {
		t.Errorf("opened again: %v, %s", err, p.URL())
	}
	p.Close()
	<-closed
	if _, err := net.Dial("tcp", strings.TrimPrefix(at, "http://")); err == nil || p.URL() != "" {
		t.Errorf("after Close: %v, %s", err, p.URL())
	}
	if closed, err = p.Open(); err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(p.URL() + "/follow/x/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	p.end(t.Context())
	<-closed
	_, _ = io.Copy(io.Discard, res.Body) // ends
	if _, err := p.Open(); err == nil || p.URL() != "" {
		t.Errorf("after the end: %v, %s", err, p.URL())
	}
}

// TestPhones_FollowTheNetwork: an address that this machine has lost is no address, and the
// next click opens another.
func TestPhones_FollowTheNetwork(t *testing.T) {
	own := []networkInterface{interfaceOf(net.FlagBroadcast, true, "192.168.1.20")}
	p := phonesOn(func() ([]networkInterface, error) { return own, nil })
	closed := make(chan struct{})
	p.now = &openPhones{at: netip.MustParseAddrPort("192.168.1.20:9"), closed: closed,
		server: &http.Server{}, streams: func() {}}
	if url := p.URL(); url != "http://192.168.1.20:9" {
		t.Error(url)
	}
	own[0] = interfaceOf(net.FlagBroadcast, true, "192.168.7.3")
	if url := p.URL(); url != "" {
		t.Errorf("it has the lost address %s", url)
	}
	if _, err := p.Open(); err != nil || !strings.HasPrefix(p.URL(), "http://127.0.0.1:") {
		t.Errorf("%v, %s", err, p.URL())
	}
	<-closed
	p.end(t.Context())
}

// TestRoom_Options: -room names an address of this machine, or off, in local mode only.
func TestRoom_Options(t *testing.T) {
	for _, words := range []string{
		"", "-room off", "-room :0", "-room :2323", "-room 192.168.1.20:0", "-room [fd00::2]:2323",
		"-room off -trusted-network", "-trusted-network",
	} {
		if _, err := parseOptions(strings.Fields(words), noEnv, io.Discard); err != nil {
			t.Errorf("%q: %v", words, err)
		}
	}
	for words, says := range map[string]string{
		"-room on": "neither off nor HOST:PORT", "-room 0.0.0.0:0": "neither off nor HOST:PORT",
		"-room [::]:0": "neither off nor HOST:PORT", "-room laptop.lab:0": "neither off nor HOST:PORT",
		"-room 192.168.1.20":           "neither off nor HOST:PORT",
		"-room :2323 -trusted-network": "phones reach the program itself",
	} {
		_, err := parseOptions(strings.Fields(words), noEnv, io.Discard)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

var phonesLink = regexp.MustCompile(`href="(http://[0-9.:]+)(/follow/[0-9a-z-]+)"`)

// startTalk starts a talk with one click on the page of a demo, and returns the URL of the
// listener for phones, the path of the followers and that of the invitation.
func startTalk(t *testing.T, p *program) (at, path, invitation string) {
	t.Helper()
	invitation = p.post("/demos/azure-devops", url.Values{"do": {"talk"}})
	link := phonesLink.FindStringSubmatch(p.get(invitation))
	if link == nil {
		t.Fatal("no link for followers")
	}
	return link[1], link[2], invitation
}

// TestServe_PhonesFollow: the listener for phones works beside commands, which no follower can
// start, ends with the talk and with the program, and does not come back with the program.
func TestServe_PhonesFollow(t *testing.T) {
	data := t.TempDir()
	flags := []string{"-room", "127.0.0.1:0", "-stdio", "no-such-server --of the-presenter"}
	p := startProgram(t, data, flags...)
	at, path, invitation := startTalk(t, p)
	phone := newBrowser(t, at)
	if status, text := phone.get(path); status != http.StatusOK || !strings.Contains(text, `data-step="1"`) {
		t.Fatalf("a follower: %d", status)
	}
	for _, path := range []string{"/", "/test", "/servers", "/demos", invitation, "/mcp/playground"} {
		if status, _ := phone.get(path); status != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, status)
		}
		if status, _ := phone.post(path, "url=x"); status != http.StatusNotFound {
			t.Errorf("POST %s: %d", path, status)
		}
	}
	p.post(invitation, url.Values{"do": {"end"}})
	untilClosed(t, at)
	at, path, invitation = startTalk(t, p)
	stream, err := http.Get(at + path + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	p.end()
	_, _ = io.Copy(io.Discard, stream.Body) // ends with the program
	untilClosed(t, at)

	p = startProgram(t, data, flags...)
	if page := p.get(invitation); !strings.Contains(page, "data-closed") {
		t.Error("the page of the talk does not say that the address is closed")
	}
	p.post(invitation, url.Values{"do": {"start"}})
	link := phonesLink.FindStringSubmatch(p.get(invitation))
	if link == nil || link[2] != path {
		t.Errorf("the talk has the link %q, its path was %s", link, path)
	}
}

// untilClosed waits until an address accepts no connection.
func untilClosed(t *testing.T, at string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
		if err != nil {
			return
		}
		_ = conn.Close()
		lull()
	}
}

// TestServe_RoomOff: with -room off no click opens anything, and the page says why.
func TestServe_RoomOff(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-room", "off")
	invitation := p.post("/demos/azure-devops", url.Values{"do": {"talk"}})
	if page := p.get(invitation); !strings.Contains(page, `data-error="room_off"`) ||
		strings.Contains(page, "/follow/") {
		t.Error("the page does not say that -room off forbids it")
	}
}
