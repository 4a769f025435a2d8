package playground

// Trips returns one Round for each connection in the newest attempt of a log.
func Trips(log []Event) []Round { return Connections(newest(log)) }

// Connections returns one Round for each connection of a log, in the order in which they
// were opened. Its number is that of the connection.
func Connections(log []Event) []Round {
	byConn := map[int][]Event{}
	var order []int
	for _, e := range log {
		if e.Kind == Decided {
			continue
		}
		if _, seen := byConn[e.Conn]; !seen {
			order = append(order, e.Conn)
		}
		byConn[e.Conn] = append(byConn[e.Conn], e)
	}
	var list []Round
	for _, conn := range order {
		r := foldRound(Decision{Round: conn}, byConn[conn])
		r.Conn = conn // also of messages without a request
		list = append(list, r)
	}
	return list
}

// newest returns the events after the last decision.
func newest(log []Event) []Event {
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].Kind == Decided {
			return log[i+1:]
		}
	}
	return log
}

// Pending reports whether connection conn of a log still waits for its
// response.
func Pending(log []Event, conn int) bool {
	var events []Event
	for _, e := range log {
		switch {
		case e.Conn != conn:
		case e.Kind == Repeated:
			return false
		default:
			events = append(events, e)
		}
	}
	return len(events) > 0 && foldRound(Decision{}, events).Kind == OutcomePending
}
