# What one does with this repository; `make help` lists it. The build itself is CMake's (CMakePresets.json).
JOBS ?= 2
PACKAGES := tools/install-packages.sh
BENCH := build/bench/solve

.PHONY: build demo test test-asan fuzz mutants-gaps bench-build bench-solve bench-terms bench-lowering bench-interp bench-concolic bench-coreutils bench-packages bench-defects bench-board check-sarif torture-campaign bench-check bench-explore bench-paths bench-psq bench-bip bench-prob bench-energy format lint clean help

build: ## build the release preset into build/release (the default)
	@$(PACKAGES) build test
	@cmake --preset release -DPLUMB_TESTS=ON $(QUIET)
	@cmake --build --preset release --parallel $(JOBS) $(if $(TARGET),--target $(TARGET))

demo: ## build plumb alone, then find the tests and the error of a lexer
	@$(PACKAGES) build
	@cmake --preset release -DPLUMB_TESTS=OFF $(QUIET)
	@cmake --build --preset release --parallel $(JOBS)
	@tools/demo.sh

test: ## build and run all tests
	@$(PACKAGES) boards
	@$(MAKE) --no-print-directory build
	@ctest --preset release --parallel $(JOBS)

test-asan: ## the unit tests with address and undefined-behaviour sanitizers
	@$(PACKAGES) build test
	@cmake --preset asan $(QUIET)
	@cmake --build --preset asan --parallel $(JOBS)
	@ctest --preset asan --parallel $(JOBS)

fuzz: ## a million random terms against evaluation and Z3, 3,000 random programs against their native run, 500 proved or refuted against enumeration, 2,000 with undefined behaviour against sanitizers, 20,000 of Tiny, 300 random BIP systems against exploration, 1,000 random programs with threads against enumeration, 10 million messages to the server of boards
	@$(MAKE) --no-print-directory build
	build/release/tests/fuzz_terms --terms 1000000
	PLUMB_TINY_PROGRAMS=20000 PLUMB_TINY_SEED=100000 build/release/tests/lang_tiny_tests --gtest_filter='Differential.*'
	for tests in chain prove semantics solve; do PLUMB_TEST_EFFORT=10 build/release/tests/$${tests}_tests --gtest_brief=1 --gtest_filter='NativeStack.*:*/NativeStack.*:RandomSystems.*:DataIndependence.*:Reach.*:*TermBytesDifferential.*' || exit 1; done
	tests/fuzz/csmith.py build/release/bin/plumb --count 3000 --seed 10001 --jobs $(JOBS) --keep build/fuzz/csmith
	tests/fuzz/defects.py build/release/bin/plumb --count 1000 --seed 1001
	tests/fuzz/check.py build/release/bin/plumb --count 500 --seed 1
	tests/fuzz/concolic.py build/release/bin/plumb --count 200 --seed 1001 --jobs $(JOBS)
	tests/fuzz/uninitialised.py build/release/bin/plumb --count 200
	tests/fuzz/undefined.py build/release/bin/plumb --count 300
	tests/fuzz/unset.py build/release/bin/plumb --count 200
	tests/bip/run.py build/release/bin/plumb
	tests/fuzz/undefined_programs.py build/release/bin/plumb --count 2000 --seed 1001 --jobs $(JOBS) --keep build/fuzz/undefined
	build/release/tests/fuzz_remote --messages 10000000 --seconds 600 --seed 2
	tests/fuzz/bip.py build/release/bin/plumb --count 300 --seed 1001 --jobs $(JOBS) --keep build/fuzz/bip
	tests/fuzz/threads.py native --count 200 --seed 1 --jobs $(JOBS)
	tests/fuzz/threads.py build/release/bin/plumb --count 1000 --seed 1001 --jobs $(JOBS) --keep build/fuzz/threads

mutants-gaps: ## places that record gaps, each switched off once: every one should fail a test (half an hour)
	@$(MAKE) --no-print-directory build TARGET=plumb
	@tests/mutants/gaps.py build/release --jobs $(JOBS)

bench-solve: ## the solver against z3 and cvc5 (about an hour; BENCH_FLAGS=--quick for minutes)
	@$(PACKAGES) bench
	@$(MAKE) --no-print-directory build
	@bench/solve/generate.py $(BENCH)
	@bench/solve/run.py $(BENCH) --verbose --out $(BENCH)/runs.json $(BENCH_FLAGS)

bench-build: ## processor seconds of a build from nothing, by module; BENCH_FLAGS=--tests with the tests, or another checkout
	@$(PACKAGES) build test
	@bench/build/run.py $(BENCH_FLAGS)

bench-terms: ## a million terms within a second and 48 bytes a term
	@$(PACKAGES) build test
	@cmake --preset release -DPLUMB_TESTS=ON $(QUIET)
	@cmake --build --preset release --parallel $(JOBS) --target bench_terms
	@build/release/bench/terms/bench_terms

bench-lowering: ## Debian's zlib, lua, sqlite3, jq and coreutils lowered, a Lua script in the interpreted Lua
	@$(PACKAGES) bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/lowering/run.py build/release/bin/plumb --work build/bench/lowering

bench-interp: ## the interpreter's speed beside native: 40 million instructions a second on a hash loop
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/interp/run.py build/release/bin/plumb

bench-concolic: ## plumb test: overhead, runs a second, time to the label of the lexer, regions on and off
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/concolic/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-coreutils: ## GNU Coreutils built with plumb cc and tested for 60 s each, regions on and off (hours; BENCH_FLAGS=--quick for minutes)
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/coreutils/run.py build/release/bin/plumb --work build/bench/coreutils $(BENCH_FLAGS)

bench-packages: ## zlib, lua, jq, bc and sed built with plumb cc, their own tests, tests made for them
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/packages/run.py build/release/bin/plumb --work build/bench/packages $(BENCH_FLAGS)

bench-defects: ## defects found by random inputs or our tests under Valgrind and by plumb alone; what the checks cost beside AddressSanitizer; false alarms on packages
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/defects/run.py build/release/bin/plumb $(BENCH_FLAGS)
	@bench/defects/overhead.py build/release/bin/plumb
	@bench/defects/packages.py build/release/bin/plumb --work build/bench/packages

bench-board: ## plumb on an emulated ARM board and on the host beside Valgrind, two boards against one, bytes on the link
	@$(PACKAGES) build test bench boards
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/board/run.py build/release/bin/plumb $(BENCH_FLAGS)

check-sarif: ## reports of defects against the official SARIF schema, which is fetched
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@tests/system/reports/run.py build/release/bin/plumb --official build/sarif

torture-campaign: ## kill -9 at 1,000 random moments (about an hour)
	@$(MAKE) --no-print-directory build TARGET=plumb
	@tests/system/campaign/run.py build/release/bin/plumb --kills 1000

bench-check: ## plumb check on the tasks of tests/tasks, by family and engine; witnesses validated; SQLite within limits (hours; BENCH_FLAGS="--timeout 10")
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/check/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-explore: ## plumb check --engine explore on tasks with threads and without, cost beside SPIN, races beside ThreadSanitizer, litmus tests, LTL (hours; BENCH_FLAGS=--quick for less)
	@$(PACKAGES) build test bench
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/explore/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-paths: ## the programs of the paper on backjumping, engine by engine, beside its figures; searches in arrays (BENCH_FLAGS=--quick for minutes)
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/paths/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-psq: ## the programs of the {P}S{Q} paper proved, engine by engine, beside its figures (BENCH_FLAGS=--quick for a part)
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/psq/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-bip: ## the models of the BIP{I} paper proved, engine by engine, beside its figures (BENCH_FLAGS=--quick for a part)
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/bip/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-prob: ## Markov models: states a second, bytes a transition, the long run beside Jacobi, 10^8 states (BENCH_FLAGS=--quick for minutes)
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build
	@bench/prob/run.py build/release/bin/plumb $(BENCH_FLAGS)

bench-energy: ## the figures of the energy router, as plots and tables, and which trends are seen (BENCH_FLAGS=--full: its sizes)
	@$(PACKAGES) build test
	@$(MAKE) --no-print-directory build TARGET=plumb
	@bench/energy/run.py build/release/bin/plumb --out build/bench/energy $(BENCH_FLAGS)

format: ## format all sources in place
	@$(PACKAGES) lint
	@git ls-files --cached --others --exclude-standard '*.cpp' '*.h' | xargs --no-run-if-empty clang-format-19 -i

lint: ## check format, module order and clang-tidy
	@$(PACKAGES) build test lint
	@cmake --preset lint $(QUIET)
	@tools/lint.sh

clean: ## remove build/
	@rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The configuration step is silent unless it fails or V=1 is given.
QUIET := $(if $(V),,--log-level=WARNING)
