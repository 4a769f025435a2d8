package views_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

func TestCurlReadsEachSecretFromItsOwnVariable(t *testing.T) {
	target := playground.Target{URL: "https://h/mcp?api_key=********&page=2", Header: []wire.Field{
		{Name: "Authorization", Value: "Bearer ********"}, {Name: "X-Api-Key",
			Value: "********"}, {Name: "X-Empty", Value: ""},
	}}
	request := wire.Frame{
		Head: []byte("POST /mcp?api_key=********&page=2 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " +
			"********\r\nX-Api-Key: ********\r\nX-Empty: \r\nContent-Type: application/json\r\n\r\n"),
		Body: []byte(`{"a":"b"}`),
	}
	got := wireview.CurlOf(request, target)
	for _, want := range []string{`'Authorization: Bearer '"$TOKEN"`, `'X-Api-Key: '"$X_API_KEY"`,
		`'https://h/mcp?api_key='"$API_KEY"'&page=2'`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "**") || strings.Contains(got, "starred") {
		t.Errorf("a mask is left:\n%s", got)
	}
}
