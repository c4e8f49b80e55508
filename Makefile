# Two commands to start with: `make demo` and `make test`.
.PHONY: install package demo agent-demo hub-demo mesh-demo release agent-release mesh thrift call test test-all check flaky bench pictures build hub-release format tools install-test-tools uninstall-tools

SHELL = bash
HONE = target/release/hone

# With YES=1 nobody is asked before packages are installed as root.
export YES
# What scripts/install-tools unpacks instead of installing it.
export PATH := $(PATH):$(CURDIR)/target/daemons/usr/bin

## Installs what is missing, builds hone, and makes the example faster, with proof.
demo: tools build
	@echo
	@$(HONE) doctor
	@echo
	$(HONE) optimize examples/meshfilter/hone.toml

## Builds hone-agent and shows it at work: three services, the agent, and a real back end.
agent-demo:
	@scripts/install-tools agent
	cargo build --release -p hone-agent-cli
	@target/release/hone-agent demo

## Builds the hub of a fleet and shows it at work: three services in two builds under load, an agent, and a regression that the hub finds.
hub-demo: hub-release
	@target/release/hone-hub demo --directory target/hub-demo

hub-release:
	@scripts/install-tools hub
	cargo build --release -p hone-cli -p hone-agent-cli -p hone-hub-cli --bin hone --bin hone-agent --bin hone-hub

## Builds the proxy hone-mesh and shows it at work: two services of go/rpc with a proxy beside each, under load, with a call that a further try saves.
mesh-demo: mesh
	cargo build --release -p hone-cli --bin hone
	@examples/mesh/run

## Builds all that is released, each command through hone optimize under loads of its own, and leaves it in target/release-tuned. Takes two
## hours of a quiet machine.
release: tools build
	packaging/tuned target/release-tuned

## The same for hone-agent alone. Takes 45 minutes.
agent-release: tools build
	packaging/tuned target/release-tuned hone-agent

## Builds the proxy hone-mesh, so that `hone mesh` finds it.
mesh:
	@scripts/install-tools mesh
	cd mesh && cmake --preset release >/dev/null && cmake --build ../target/mesh/release --target hone-mesh -j2
	mkdir -p target/release && cp target/mesh/release/hone-mesh target/release/

## Builds the code generators for Go: hone-thrift, so that `hone thrift` finds it, and protoc-gen-hone.
thrift:
	packaging/go-commands target/release hone-thrift protoc-gen-hone

## Builds what calls services, so that `hone call` and `hone load` find it.
call:
	packaging/go-commands target/release hone-call hone-load

PREFIX = /usr/local
DESTDIR =

## Installs hone, hone-agent and hone-hub, and the commands in Go where Go is, with manual pages and completions, below $(DESTDIR)$(PREFIX).
install:
	cargo build --locked --profile dist --bin hone --bin hone-agent --bin hone-hub
	if command -v go >/dev/null; then packaging/go-commands target/dist || true; fi
	packaging/mesh-command target/dist || true
	packaging/install target/dist '$(DESTDIR)' '$(PREFIX)'

## Makes static binaries, a tarball and .deb packages of them in target/package.
package:
	packaging/package

# The lanes of `make test`. CONTRIBUTING.md says what each answers, when to run it alone, and how long it takes.
FORM = 'scripts/syntax' 'cargo fmt --all --check'
CLIPPY = 'cargo clippy --workspace --all-targets -- -D warnings'
CLIENT = 'cargo test -p hone-agent-client --doc'
ACCURACY = 'bench/walker/accuracy/run-tests'

## Everything that tells whether the product works, and all tests of the parts that a change touches.
test: install-test-tools
	@scripts/changed lanes | { mapfile -t changed; \
	scripts/lanes $(FORM) "scripts/rust-tests few $$(scripts/changed rust)" \
		--beside 'go/run-tests short' 'cpp/shm/run-tests short' 'mesh/run-tests short' 'scripts/licences' "$${changed[@]}"; }

## Every test of the project: before a release, before work is said to be done, and each night.
test-all: install-test-tools
	@scripts/install-tools spark
	@scripts/hub-peers spark
	@scripts/lanes $(FORM) $(CLIPPY) 'scripts/rust-tests all' $(CLIENT) 'scripts/licences' \
		'examples/meshfilter/run-tests' 'cpp/shm/run-tests all' 'mesh/run-tests all' $(ACCURACY) 'go/run-tests all' 'scripts/check-installing'

## An answer for a developer within three minutes, once all is built.
check:
	@scripts/lanes $(FORM) $(CLIPPY) 'scripts/rust-tests units' --beside 'go/run-tests short go'

## How often each test failed by chance, from the results of the runs so far.
flaky:
	@scripts/flaky

## Takes the pictures of the documentation again, from recordings, a hub and reports that it makes.
pictures: hub-release
	@scripts/install-tools pictures
	scripts/pictures

## The long experiments of record, and fuzzing; nothing else should run meanwhile.
bench: install-test-tools tools build
	bench/self-check/run
	bench/duet/run
	bench/meshfilter/run
	bench/real/run
	bench/share/run
	bench/share/run --group known --comparison autofdo --comparison thinlto --comparison bolt
	bench/builds/run
	bench/together/run
	bench/promotion/run
	bench/diagnose/run
	bench/diagnose/search
	bench/diagnose/gains/run
	bench/quality/run --gains
	bench/convert/run
	bench/convert/overlap
	bench/record/stack-size
	bench/views/top
	bench/views/page
	bench/walker/cost/run
	bench/walker/accuracy/run
	bench/walker/accuracy/run curve --fixed-us 600 --marginal-us 0.35 --record-options '--branches walk --overhead 20% --walk-length 4352'
	bench/walker/safety/run
	bench/walker/servers/run
	bench/record/system-wide
	bench/record/shares
	bench/record/cost
	bench/agent-clients/run
	bench/agent/run
	bench/thrift/run
	bench/rpc/proto/run
	bench/thrift/run-layout
	bench/rpc/run
	bench/rpc/run payloads
	bench/rpc/run streams
	bench/rpc/run codecs
	bench/rpc/run idle
	bench/rpc/soak
	bench/shm/run
	bench/shm/run wake
	bench/routing/run
	bench/routing/run host
	bench/tune/run
	bench/shm/kills
	bench/kernel/run
	bench/fanout/run
	bench/mesh/run
	bench/mesh/ladder
	bench/mesh/memory
	bench/mesh/control
	bench/mesh/operate
	bench/mesh/shared
	bench/mesh/fleet
	bench/hosts/run
	bench/hub/run
	bench/hub/collector
	bench/hub/pgo/run
	bench/hub/jobs/run
	bench/hub/regressions/run
	cargo build --release --bin hone-hub --bin hone-agent
	bench/hub/slow_clients --hub target/release/hone-hub --agent target/release/hone-agent --write
	HONE_LONG=1 cargo test --release -p hone-emulate -- --include-ignored
	bench/fuzz
	HONE_LONG=1 cargo test --release -p hone-measure

build:
	cargo build --release --bin hone

format:
	cargo fmt --all
	clang-format-19 -i $$(git ls-files 'examples/*.cc' 'examples/*.h' 'clients/*.cpp' 'clients/*.hpp' 'cpp/*.cpp' 'cpp/*.hpp' 'mesh/*.cpp' 'mesh/*.hpp')
	PATH="$$PATH:/usr/local/go/bin" gofmt -w clients/go

tools:
	@scripts/install-tools demo

install-test-tools:
	@scripts/install-tools test
	@scripts/reference-cpu
	@scripts/hub-peers

## Takes away what the other targets have installed.
uninstall-tools:
	@scripts/install-tools remove
