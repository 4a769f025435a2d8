# What CI runs is what everybody runs: .ci/run calls `make test`.
#
#   make test      install what is missing of what the tests need, then run all of them
#   make run       start the program on http://127.0.0.1:2322
#   make build     bin/mrtr-playground
#   make static    the binary of the container image, at OUT
#   make generate  regenerate *_templ.go after editing *.templ
#   make lint      run every linter in LINTERS
#   make bench     every benchmark, as ratios
#
# `go test ./...` alone needs neither Node.js nor a browser.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# The linters that `make lint` runs. The target revive is not among them until
# the code passes it: add the word revive to this line.
LINTERS := generate-check fmt-check vet staticcheck spelling

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
OUT ?= bin/static/mrtr-playground

NODE := e2e/node_modules/.bin/node
INSTALLED := e2e/node_modules/.package-lock.json
CHROMIUM ?= /usr/bin/chromium
APT := apt-get install -y --no-install-recommends
export CHROMIUM

.PHONY: test run build static generate lint $(LINTERS) revive go-test e2e docker-check bench node npm chromium clean

test: lint go-test e2e

run:
	go run ./cmd/mrtr-playground

build:
	go build -ldflags '-X main.version=$(VERSION)' -o bin/mrtr-playground ./cmd/mrtr-playground

# One file that runs in an empty root: no C library, resolver or user database of
# the machine it was built on.
static:
	CGO_ENABLED=1 go build -trimpath -tags sqlite_omit_load_extension,netgo,osusergo \
		-ldflags '-s -w -linkmode external -extldflags "-static" -X main.version=$(VERSION)' \
		-o '$(OUT)' ./cmd/mrtr-playground

generate:
	go tool templ generate -path views -log-level warn

lint: $(LINTERS)

# Compares the generated files before and after a new run of the generator, so
# that the check works before a commit as well as after it.
generate-check:
	@sums() { find . -name '*_templ.go' -not -path './e2e/*' -print0 | sort -z | xargs -0 sha256sum; }; \
	before=$$(sums); go tool templ generate -path views -log-level warn; \
	diff <(echo "$$before") <(sums) || { echo 'These files were stale. Commit what `make generate` writes.'; exit 1; }

fmt-check:
	@files=$$(find . -name '*.go' -not -path './e2e/node_modules/*' -print0 | xargs -0 gofmt -l); \
	test -z "$$files" || { echo "Run gofmt -w on these files: $$files"; exit 1; }

vet:
	go vet ./...

# -SA1019: the SDK deprecates sampling, roots and logging, which this program shows.
staticcheck:
	go tool staticcheck -checks inherit,-SA1019 ./...

spelling:
	@find . -name node_modules -prune -o -type f -regex '.*\.\(go\|templ\|md\|mjs\)' -print0 | \
		xargs -0 go tool misspell -error

# Comments, line length and names. .revive.toml lists the rules.
revive:
	go tool revive -config .revive.toml -formatter unix ./...

# The results stay in bin/results, where .ci/run counts them.
go-test:
	@mkdir -p bin/results
	go tool gotestsum --format pkgname --format-hide-empty-pkg --junitfile bin/results/go.xml -- -race ./...

# --test-force-exit: a test that failed halfway must not keep everybody waiting.
e2e: build $(INSTALLED) chromium
	@mkdir -p bin/results
	cd e2e && MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' node_modules/.bin/node --test --test-force-exit \
		--test-timeout=900000 \
		--test-reporter=spec --test-reporter-destination=stdout \
		--test-reporter=tap --test-reporter-destination=../bin/results/e2e.tap

# The container image's binary in an empty root. A part of e2e, too.
docker-check: $(INSTALLED)
	cd e2e && node_modules/.bin/node --test --test-force-exit --test-reporter=spec docker.test.mjs

bench: build $(INSTALLED) chromium
	go test -run '^$$' -bench . ./cmd/... ./sampletools/seal/...
	for file in e2e/bench*.mjs; do echo "== $$file"; MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' $(NODE) "$$file"; done

# What the tests need. Only what is missing is installed, and only where this
# may: npm packages into e2e/, programs where Debian's package manager and the
# rights for it are there. Otherwise the last line says what to do.
$(INSTALLED): e2e/package.json e2e/package-lock.json | npm
	cd e2e && npm ci
	test -x e2e/node_modules/node/bin/node || (cd e2e && npm rebuild node)
	touch $@

npm:
	@command -v npm >/dev/null || { $(call install,nodejs npm); } || \
		{ echo 'The tests need npm: install Node.js 18 or newer with npm, and run make again.'; exit 1; }

chromium:
	@test -x '$(CHROMIUM)' || { $(call install,chromium fonts-dejavu-core); } || \
		{ echo 'The tests need a browser: install Chromium, name it as in CHROMIUM=/path/to/chromium, and run make again.'; exit 1; }

install = test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -q && DEBIAN_FRONTEND=noninteractive $(APT) $(1)

clean:
	rm -rf bin e2e/artefacts
