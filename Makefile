# make test is what CI runs (.ci/run). Everything works from a fresh clone with Go, make and git alone:
# what the tests need beside them, make deps installs.

GO       ?= go
FUZZTIME ?= 20s
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
PACKAGES := cmd internal lua migrations

.PHONY: help run build test check deps fuzz bench clean

help: ## what there is to make
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile

run: ## run the service as it is for somebody who sets nothing
	$(GO) run ./cmd/smsd

build: ## a static binary, bin/smsd
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/smsd ./cmd/smsd

# The time-out is for one package: the longest takes a minute or two on two cores that it has for itself.
test: deps check ## formatting, vet, and every test under the race detector
	CGO_ENABLED=1 $(GO) test -race -timeout 14m ./...

check:
	@files=$$(gofmt -l $(PACKAGES)); if [ -n "$$files" ]; then echo "not formatted (gofmt -w):"; echo "$$files"; exit 1; fi
	$(GO) vet ./...

deps: ## install what the tests need: redis-server, PostgreSQL, libfaketime, and a C compiler for the race detector
	@./.ci/deps

fuzz: ## each fuzz target for FUZZTIME
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

# That of one layer: go test -run '^$' -bench . -benchmem ./internal/throttle
bench: deps ## the whole service beside a bare echo, in about seven minutes (docs/performance.md)
	SMSD_REQUIRE_SERVERS=1 $(GO) test -run '^Test(Service|Latency|Records|Sizes|Windows|Pool|Ways)$$' -count 1 -timeout 20m -v ./internal/bench -service

clean:
	rm -rf bin
