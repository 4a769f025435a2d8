package gateway_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestMain(m *testing.M) { sitetest.Main(m) }
