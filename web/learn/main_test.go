package learn_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestMain(m *testing.M) {
	serveTable()
	sitetest.Main(m)
}
