package sampletools

import (
	"net"
	"net/http"
	"net/netip"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callerHeader tells the instances, inside this program, whose request it is.
// What a client sends under this name is replaced.
const callerHeader = "Mcp-Sample-Caller"

// markCaller sets callerHeader: the address of the client, or the /64 network of
// an IPv6 address.
func markCaller(r *http.Request) { r.Header.Set(callerHeader, callerOf(r.RemoteAddr)) }

func callerOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote // a connection in memory has no port
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || !addr.Unmap().Is6() {
		return host
	}
	p, _ := addr.WithZone("").Prefix(64)
	return p.String()
}

// caller returns whose request it is, or "" if that is not known.
func caller(req mcp.Request) string {
	if e := req.GetExtra(); e != nil {
		return e.Header.Get(callerHeader)
	}
	return ""
}

// quota bounds what is open at once, in all and for one caller.
type quota struct {
	most, part int

	mu   sync.Mutex
	held map[string]int
	all  int
}

// newQuota returns a quota; if shared, one caller may have an eighth of it.
func newQuota(most int, shared bool) *quota {
	return &quota{most: most, part: partOf(most, shared), held: map[string]int{}}
}

// partOf returns how much of a pool one caller may hold.
func partOf(most int, shared bool) int {
	if shared {
		return max(1, most/8)
	}
	return most
}

// enter counts one more for a caller, until leave. It returns false if that is
// too many. Callers that are not known have no part of their own.
func (q *quota) enter(caller string) (leave func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all >= q.most || caller != "" && q.held[caller] >= q.part {
		return nil, false
	}
	q.all++
	q.held[caller]++
	return sync.OnceFunc(func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.all--
		if q.held[caller]--; q.held[caller] == 0 {
			delete(q.held, caller)
		}
	}), true
}

// count returns how many places of a sample are taken.
func (q *quota) count(sample, pool string) PlaceCount {
	q.mu.Lock()
	defer q.mu.Unlock()
	return PlaceCount{sample, pool, q.all, q.most}
}
