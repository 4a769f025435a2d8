# CI runs the same as you: .ci/run calls `make test`.
#
#   make test      run deps, then lint, go-test and e2e, two parts at a time
#   make deps      install what the tests need and this machine lacks
#   make lint      run every linter in LINTERS
#   make go-test   run all Go tests, with the race detector where goroutines are
#   make postgres  run the tests of the pages again, on PostgreSQL instead of SQLite
#   make replicas  play a crowd before three processes that are killed, for REPLICAS_TIME
#   make e2e       run the browser, conformance and other end-to-end tests
#   make run       start the program on http://127.0.0.1:2322
#   make storybook show every state of every page on http://127.0.0.1:2323
#   make build     build bin/mrtr-playground
#   make static    build the static binary of the container image at OUT
#   make release   build the files of a release in bin/release, and check them
#   make platforms-check  start those that run here: on arm64 under qemu, on Windows under wine
#   make npm-check start the program with npx, from a registry on loopback
#   make licenses  list the licenses of dependencies again, after a change of go.mod
#   make vulnerabilities  look for known vulnerabilities in what the program calls
#   make deploy-check  check the files of .deploy
#   make generate  regenerate *_templ.go after editing *.templ
#   make faults    run the tests of every fault in e2e/faults/table.txt, a line each
#   make soak      run the long ones: kills for SOAK in all, each fuzz test for FUZZ
#   make bench     run every benchmark and print the results as ratios
#   make field     measure real servers, clients and gateways, and write the facts about them
#   make gateways  install and build the gateways that are measured, and print what fails in each;
#                  GATEWAYS="nginx caddy" measures those
#   make load      play a crowd of visitors: rounds, latency, memory, and the ratio to the bare sample;
#                  LOAD='-follow 500' plays a talk with followers instead
#   make clean     remove what the other targets built
#
# `make go-test`, `make lint` and `go test ./...` need Go and a C compiler, but
# neither Node.js nor a browser; `make go-test` needs PostgreSQL too, without which
# the others skip its tests. Only `make deps` installs Debian packages.

# Everything is compiled as the released binary is, so that no part of `make test`
# compiles again what another did, and the tests are of what is released.
export GOFLAGS := $(GOFLAGS) -trimpath -tags=sqlite_omit_load_extension,netgo,osusergo

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# The linters that `make lint` runs.
LINTERS := generate-check fmt-check vet staticcheck spelling revive

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
OUT ?= bin/static/mrtr-playground

NODE := e2e/node_modules/.bin/node
INSTALLED := e2e/node_modules/.package-lock.json
CLIENTS := e2e/clients/node_modules/.package-lock.json
REGISTRY := e2e/npm/node_modules/.package-lock.json

# The headless shell draws the same pages as Chromium, without a window around them,
# in less than half of the processor time.
HEADLESS_SHELL := /usr/bin/chromium-headless-shell
CHROMIUM ?= $(firstword $(wildcard $(HEADLESS_SHELL) /usr/bin/chromium) $(HEADLESS_SHELL))
export CHROMIUM

# Debian does not put initdb in PATH, and nginx and haproxy in that of root only.
INITDB := $(firstword $(shell command -v initdb) $(wildcard /usr/lib/postgresql/*/bin/initdb) initdb)

NGINX := $(firstword $(shell command -v nginx) $(wildcard /usr/sbin/nginx) nginx)
HAPROXY := $(firstword $(shell command -v haproxy) $(wildcard /usr/sbin/haproxy) haproxy)

# What `make test` needs besides Go and a C compiler. Each line is a command and
# the Debian packages that provide it.
define PROGRAMS
npm nodejs npm
openssl openssl
$(CHROMIUM) chromium-headless-shell fonts-dejavu-core
$(INITDB) postgresql
$(NGINX) nginx-light
$(HAPROXY) haproxy
caddy caddy
systemd-analyze systemd
endef
export PROGRAMS

# How long `make soak` takes: the kills in all, and each fuzz test. Before a
# release, the fuzz tests run for FUZZ=10m.
SOAK ?= 10m
REPLICAS_TIME ?= 5m
FUZZ ?= 30s

# The folders with *.templ.
TEMPL := views sampletools

.PHONY: test deps programs lint $(LINTERS) go-test go-race go-pure postgres replicas e2e faults soak \
	docker-check deploy-check bench load field run storybook build static release release-binaries \
	release-files release-npm release-reproducible npm-check platforms-check licenses vulnerabilities generate clean

# Two parts at a time, because each leaves a core idle now and then: while it starts
# a browser, kills a program or waits for a disk. A linter that fails stops the rest
# before it begins. What a part says comes in one piece, at its end; until then,
# bin/results/e2e.tap shows how far the longest is.
test: deps
	$(MAKE) --jobs=2 --output-sync=target lint e2e go-race go-pure

# npm is one of the programs.
deps: programs
	$(MAKE) $(INSTALLED) $(CLIENTS)

programs:
	@missing= packages=; \
	while read -r command provided; do \
		command -v "$$command" >/dev/null || { missing+=" $$command"; packages+=" $$provided"; }; \
	done <<< "$$PROGRAMS"; \
	if [[ -z $$missing ]]; then exit; fi; \
	if [[ $$(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then \
		echo "The tests need these commands:$$missing"; \
		echo "Install them (on Debian: apt-get install$$packages) and run make again."; \
		echo "To use a browser at another path, set CHROMIUM=/path/to/chromium."; \
		exit 1; \
	fi; \
	apt-get update -q; \
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$packages

# npm can be set up to skip install scripts; that of the package node provides its
# binary.
$(INSTALLED): e2e/package.json e2e/package-lock.json
	cd e2e && npm ci
	test -x e2e/node_modules/node/bin/node || (cd e2e && npm rebuild node)
	touch $@

$(CLIENTS): e2e/clients/package.json e2e/clients/package-lock.json
	cd e2e/clients && npm ci --ignore-scripts
	touch $@

$(REGISTRY): e2e/npm/package.json e2e/npm/package-lock.json
	cd e2e/npm && npm ci --ignore-scripts
	touch $@

run:
	go run ./cmd/mrtr-playground

# The pages that views/storybook_test.go compares with its golden files. After a
# change of a page: go test ./views -run Storybook -update, and look at the diff.
storybook:
	go test ./views -run Storybook -timeout 0 -v -serve 127.0.0.1:2323

build:
	go build -ldflags '-X main.stamp=$(VERSION)' -o bin/mrtr-playground ./cmd/mrtr-playground

# One file that runs in an empty root: no C library, resolver or user database of
# the machine it was built on. On Windows it needs the libraries of the system, and on macOS
# these and its C library.
# SQLite for size, and of the C code no more than is called: smaller by 0.5 MB, for a fortieth of
# the rounds a second. Functions begin at multiples of 16 bytes, not of 32: smaller by 0.3 MB.
static:
	mkdir -p '$(dir $(OUT))'
	CGO_ENABLED=1 CGO_CFLAGS='$(STATIC_CFLAGS)' go build $(UNCOPIED) \
		-ldflags '-s -w -funcalign=16 -linkmode external -extldflags "$(STATIC_LDFLAGS_$(or $(GOOS),$(shell go env GOOS)))" -X main.stamp=$(VERSION)' \
		-o '$(OUT)' ./cmd/mrtr-playground

# Small functions are called, not copied into others, but for the packages that each round goes
# through: smaller by 1.7 MB, and a round takes as long.
MODULE := github.com/mrtr-playground/mrtr-playground
COPIED := playground playground/wire playground/jsontree playground/redact playground/run playground/text \
	db db/engine sampletools/seal
# Of other modules, those that no round goes through: smaller by 0.3 MB.
BESIDE := github.com/alecthomas/chroma/v2 github.com/boombuler/barcode github.com/dlclark/regexp2/v2 github.com/go-jose/go-jose/v4 \
	github.com/pressly/goose/v3 github.com/yuin/goldmark github.com/zitadel/oidc/v3 go.starlark.net go.yaml.in/yaml/v3 \
	golang.org/x/image golang.org/x/oauth2 go/ast go/parser go/printer
UNCOPIED := $(foreach path,$(MODULE) $(BESIDE),-gcflags='$(path)/...=-l') $(COPIED:%=-gcflags='$(MODULE)/%=')
STATIC_CFLAGS := -Os -g0 -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables
STATIC_LDFLAGS_linux := -static -Wl,--gc-sections -Wl,-z,noseparate-code -Wl,--build-id=none
STATIC_LDFLAGS_windows := -static -Wl,--gc-sections -Wl,--no-insert-timestamp
STATIC_LDFLAGS_darwin :=

# What a release has: a binary for each platform, an SBOM of each, licenses, checksums, and
# the npm packages. PLATFORMS are those that this machine builds; they need their C compilers
# (on Debian: gcc, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and gcc-mingw-w64-x86-64).
# The workflow builds the others on machines of their own, into the same folder.
RELEASE := bin/release
PLATFORMS ?= linux-amd64 linux-arm64 windows-amd64
GCC_linux-amd64 := x86_64-linux-gnu-gcc
GCC_linux-arm64 := aarch64-linux-gnu-gcc
GCC_windows-amd64 := x86_64-w64-mingw32-gcc
GCC_windows-arm64 := clang
GCC_darwin-amd64 := clang -arch x86_64
GCC_darwin-arm64 := clang -arch arm64
RELEASE_BINARIES := $(foreach platform,$(PLATFORMS),$(RELEASE)/mrtr-playground-$(platform)$(if $(filter windows-%,$(platform)),.exe))
# In bytes; the binaries for Linux are those of the container image.
MAX_BINARY_linux := 40000000
MAX_BINARY_windows := 42000000
MAX_BINARY_darwin := 45000000
SBOM := go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json -licenses -std \
	-noserial -notimestamp -version '$(VERSION)'

release:
	rm -rf $(RELEASE)
	$(MAKE) release-binaries
	$(MAKE) release-files
	ls -l $(RELEASE)

release-binaries: $(RELEASE_BINARIES)

# Each binary is static where that can be, runs, has the version, and is not too large. Without
# an emulator, one of another platform is not run.
$(RELEASE)/mrtr-playground-%:
	@mkdir -p $(RELEASE)
	platform=$(basename $*); CC='$(GCC_$(basename $*))' GOOS=$${platform%-*} GOARCH=$${platform#*-} $(MAKE) static OUT=$@
	@case $* in linux-*) ! readelf -l $@ | grep INTERP;; esac
	@test $$(wc -c <$@) -le $(MAX_BINARY_$(firstword $(subst -, ,$*)))
	@says=$$($@ version 2>&1) && test "$$says" = 'mrtr-playground $(VERSION)' || \
		{ test $(basename $*) != $$(go env GOHOSTOS)-$$(go env GOHOSTARCH) && echo "$@ was not run here: $$says"; }

# What is beside the binaries, for all that are there.
release-files: release-npm
	for binary in $(RELEASE)/mrtr-playground-*; do \
		case $$binary in *.json) ;; *) $(SBOM) -output $$binary.cdx.json $$binary;; esac; \
	done
	cp .deploy/THIRD_PARTY_LICENSES $(RELEASE)
	cd $(RELEASE) && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS

# The packages of the binaries: one with the name of the program, which npx starts, and one for
# each platform, among which npm chooses. A version that is no tag comes before all releases.
NPM_VERSION = $(if $(filter v%,$(VERSION)),$(VERSION:v%=%),0.0.0-$(VERSION))
release-npm:
	node .deploy/npm/pack.js '$(NPM_VERSION)' $(RELEASE)

# Publishes the packages to a registry on loopback, and starts the program from there with npx.
# Not part of `make test`: the registry takes half a minute to install.
npm-check: build $(INSTALLED) $(REGISTRY)
	rm -rf bin/npm-check
	mkdir -p bin/npm-check
	cp bin/mrtr-playground bin/npm-check/mrtr-playground-$$(go env GOOS)-$$(go env GOARCH)
	$(MAKE) release-npm RELEASE=bin/npm-check
	cd e2e && MRTR_PACKAGES='$(CURDIR)/bin/npm-check/npm' node_modules/.bin/node --test --test-force-exit \
		--test-reporter=spec npm/npm.test.mjs

# Runs the binaries of a release on every platform that this machine can run.
platforms-check: build $(INSTALLED)
	cd e2e && MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' node_modules/.bin/node --test --test-force-exit \
		--test-reporter=spec platforms.test.mjs

# Two builds without a cache in different folders make the same bytes.
release-reproducible:
	mkdir -p bin
	trees=$$(mktemp -d); trap 'chmod -R u+w '$$trees'; rm -rf '$$trees EXIT; \
	for tree in one another; do \
		git clone -q . $$trees/$$tree; \
		GOCACHE=$$trees/cache-$$tree $(MAKE) -C $$trees/$$tree release-binaries VERSION='$(VERSION)'; \
	done; \
	for binary in $(RELEASE_BINARIES); do cmp $$trees/{one,another}/$$binary; sha256sum $$trees/one/$$binary; done

licenses:
	mkdir -p bin
	go run ./e2e/licenses >bin/licenses
	cp bin/licenses .deploy/THIRD_PARTY_LICENSES

# VULNDB names another database of vulnerabilities than that of Go.
VULNDB ?= https://vuln.go.dev
vulnerabilities:
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 -db '$(VULNDB)' ./cmd/mrtr-playground

# Go code of the components in folder $(1), smaller by 2.7 MB of the program than templ writes it:
#   - Where a component is inlined, its whole closure is compiled once more.
#   - No expression returns an error, so that none is looked for or names a place of its template.
#     One that does, or that is not a string, does not compile.
components = for path in $(TEMPL); do \
	go tool templ generate -path $(1)/$$path -log-level warn; \
	find $(1)/$$path -name '*_templ.go' -exec sed -i -zE \
		-e 's|\nfunc [^\n]* templ\.Component \{\n|\n//go:noinline&|g' \
		-e 's|(templ_\w+), templ_\w+ = templ\.JoinStringErrs\(([^\n]*)\)\n\s*if [^}{]*\{[^}{]*\{[^}{]*\}\s*\}\n|\1 = \2\n|g' \
		-e 's|return templ\.Error\{Err: (templ_\w+), [^\n]*\}\n|return \1\n|g' \
		{} + -exec gofmt -w {} +; done

# *_templ.go beside every *.templ.
generate:
	$(call components,.)

lint: $(LINTERS)

# Generates the files again in another folder, and compares.
generate-check:
	@fresh=$$(mktemp -d); trap 'rm -rf '$$fresh EXIT; \
	find go.mod $(TEMPL) \( -name go.mod -o -name "*.templ" \) -exec cp --parents -t $$fresh {} +; \
	$(call components,$$fresh); \
	sums() { cd $$1; find $(TEMPL) -name '*_templ.go' -print0 | sort -z | xargs -0 sha256sum; }; \
	diff <(sums .) <(sums $$fresh) || { echo 'These files are stale. Commit what `make generate` writes.'; exit 1; }

fmt-check:
	@files=$$(find . -name '*.go' -not -path './*/node_modules/*' -print0 | xargs -0 gofmt -l); \
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

# The packages that start a goroutine, or have what goroutines share, are tested with the
# race detector, which makes a test about four times as slow. A value that is made once
# and only read is not what they share. So are the rooms of web whose pages follow what runs
# beside a request, wherever that is started: calls, checks of agents, captures and talks. What
# the other rooms start is tested with it, too, in web/site/beside_test.go. The longest tests
# are the first to start. The results stay in bin/results, where .ci/run counts them.
#
# UNRACED are packages that only compute, with their own tests: pictures, compression,
# patterns and parsers. The detector made them take most of its time. What is shared is
# still seen in the code that calls them. A package that has atomics, or generic code
# that others share, cannot be one of them: it would hide what orders their goroutines.
# Package encoding/json has: the maps of its cache.
# The detector also checks each conversion of an unsafe pointer; this program has none
# of its own but for the calls of Windows.
#
# Each package is tested in a process of its own that soon ends, so that it can let its
# heap grow: GOGC. Nor does it wait at its end for a race in what still runs: many tests
# start the program again and again. That wait is a second by default.
LONGEST := ./web/site ./db ./cmd/mrtr-playground ./playground/check ./e2e/replicas ./playground/rules
UNRACED := compress/... encoding/base64 hash/... image/... regexp/... unicode/utf8 \
	golang.org/x/net/html/... github.com/dlclark/regexp2/... github.com/andybalholm/brotli/... \
	github.com/klauspost/compress/... \
	github.com/mrtr-playground/mrtr-playground/playground/jsontree
PACKAGES = $(shell go list -f '{{.Dir}}' ./... | sed 's|^$(CURDIR)|.|')
RACED = $(addprefix ./web/,site agent client exchange stage) $(shell grep -rlE --include='*.go' --exclude='*_test.go' \
	'^[[:space:]]+go [[:alnum:]_.]+[^[:alnum:]_. ]|\batomic\.|\bsync\.(Cond|Map|Mutex|Once\>|OnceFunc|Pool|RWMutex|WaitGroup)' \
	$(PACKAGES) | xargs -n1 dirname | sort -u)
GO_TEST := GOGC=400 GORACE=atexit_sleep_ms=10 MRTR_NEED_POSTGRES=1 go tool gotestsum --format pkgname --format-hide-empty-pkg

go-test: go-race go-pure

go-race:
	@mkdir -p bin/results
	packages='$(filter $(RACED),$(LONGEST)) $(filter-out $(LONGEST),$(filter $(RACED),$(PACKAGES)))'; \
	$(GO_TEST) --junitfile bin/results/go-race.xml -- -race -gcflags=all=-d=checkptr=0 \
		$(UNRACED:%=-gcflags=%=-race=false) -vet=off -timeout 30m $$packages

go-pure:
	@mkdir -p bin/results
	packages='$(filter-out $(RACED),$(LONGEST)) $(filter-out $(LONGEST) $(RACED),$(PACKAGES))'; \
	$(GO_TEST) --junitfile bin/results/go.xml -- -vet=off -timeout 30m $$packages

postgres:
	MRTR_NEED_POSTGRES=1 MRTR_TEST_DB=postgres go test -timeout 2h ./web/...

replicas: programs
	MRTR_NEED_POSTGRES=1 MRTR_REPLICAS_TIME=$(REPLICAS_TIME) go test -v -count=1 -timeout 2h ./e2e/replicas

# --test-force-exit: without it, what a failed test leaves open keeps node running.
# MAKEFLAGS: a test runs make, which is no part of this one.
e2e: build $(INSTALLED) $(CLIENTS)
	@mkdir -p bin/results
	cd e2e && MAKEFLAGS= MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' node_modules/.bin/node --test --test-force-exit \
		--test-timeout=1200000 --test-concurrency=3 \
		--test-reporter=spec --test-reporter-destination=stdout \
		--test-reporter=tap --test-reporter-destination=../bin/results/e2e.tap

# Their tests are among those of go-test and e2e. Here they run by fault, without
# the race detector. FAULTS="16 43" runs those.
faults: build $(INSTALLED)
	MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' go run ./e2e/faults $(FAULTS)

soak:
	go run ./e2e/faults -soak '$(SOAK)' -fuzz '$(FUZZ)' $(FAULTS)

# Runs the container image's binary in an empty root. `make e2e` includes it.
docker-check: $(INSTALLED)
	cd e2e && node_modules/.bin/node --test --test-force-exit --test-reporter=spec docker.test.mjs

# Checks the files of .deploy. `make e2e` includes all but compose-go, the library
# of docker compose, which is not among the dependencies of the program.
COMPOSE_CHECK := go run github.com/compose-spec/compose-go/v2/cmd@v2.16.2 --no-interpolation

deploy-check: build $(INSTALLED)
	cd e2e && MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' node_modules/.bin/node --test --test-force-exit \
		--test-reporter=spec deploy.test.mjs
	$(COMPOSE_CHECK) .deploy/compose.yaml >/dev/null

bench: build $(INSTALLED)
	go test -run '^$$' -bench . ./cmd/... ./playground/redact ./sampletools/seal/...
	for file in e2e/bench*.mjs; do echo "== $$file"; MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' $(NODE) "$$file"; done

# Writes playground/field: the facts, and the recordings that they cite. Commit them. It
# prints which facts changed, and takes ten minutes: some clients wait for answers that
# never come. With FIELD=slug it measures that one.
FIELD ?=
field: build $(INSTALLED) $(CLIENTS) gateways-installed
	MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' go run ./e2e/field $(FIELD)

# Real gateways and proxies: of Debian, where this can install them, of npm, and of Go modules, each
# with its own dependencies. Only these need them. A gateway that is not there is skipped. Traefik
# takes minutes to compile.
GATEWAYS ?=
GATEWAY_MODULES := $(notdir $(wildcard e2e/field/gateways/go/*))
GATEWAY_PACKAGES := apache2 h2o lighttpd mitmproxy squid varnish
GATEWAY_SCRIPTS := e2e/field/gateways/npm/node_modules/.package-lock.json

.PHONY: gateways gateways-installed gateways-debian
gateways: build gateways-installed
	MRTR_PROGRAM='$(CURDIR)/bin/mrtr-playground' go run ./e2e/field/gateways/measure $(GATEWAYS)

gateways-installed: programs gateways-debian $(INSTALLED) $(GATEWAY_SCRIPTS) $(GATEWAY_MODULES:%=bin/gateways/%)
	go build -o bin/gateways/ ./e2e/field/gateways/bridge ./e2e/field/gateways/reverseproxy

gateways-debian:
	@if [[ $$(id -u) == 0 ]] && command -v apt-get >/dev/null && ! dpkg -s $(GATEWAY_PACKAGES) &>/dev/null; then \
		apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(GATEWAY_PACKAGES); \
	fi

$(GATEWAY_SCRIPTS): e2e/field/gateways/npm/package.json e2e/field/gateways/npm/package-lock.json
	cd e2e/field/gateways/npm && npm ci --ignore-scripts
	touch $@

# The program of a module is its tool.
bin/gateways/%: e2e/field/gateways/go/%/go.mod
	mkdir -p bin/gateways
	cd e2e/field/gateways/go/$* && GOFLAGS= go build -trimpath -o '$(CURDIR)/bin/gateways/' tool
	touch $@

# Data lies in LOADDIR: on tmpfs, so that the ratio does not depend on a disk.
LOADDIR ?= /dev/shm
LOAD ?=
load: build
	go run ./e2e/load -dir '$(LOADDIR)' $(LOAD)

clean:
	rm -rf bin
