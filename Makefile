# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The commands of README: every target installs what it needs first and does nothing twice.

BUILD ?= build
VENV ?= .venv
PY := $(VENV)/bin/python
JOBS ?= $(shell nproc)
SOURCES := $(shell git ls-files '*.cpp' '*.h' '*.c' 2>/dev/null)

.PHONY: demo test build lint docs bench format clean setup sanitize test-gpu test-gpu-checked test-gpu-mutants bench-gpu

demo: build
	$(PY) examples/digits/train.py

test: build
	ninja -C $(BUILD) check-lit
	$(PY) -m pytest -q -n $(JOBS) --dist worksteal test/python

# CMake and Ninja decide what is out of date.
build: $(VENV)/.tools
	@test -f $(BUILD)/build.ninja || tools/setup/configure.sh $(BUILD) $(VENV)
	ninja -C $(BUILD) -j $(JOBS)
	@tools/setup/link.sh $(BUILD) $(VENV)

setup: $(VENV)/.tools

$(VENV)/.tools: requirements.txt tools/setup/packages.sh tools/setup/python-sources.txt tools/setup/ducc0.txt
	tools/setup/packages.sh
	test -x $(PY) || python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	tools/setup/python-sources.sh $(PY)
	tools/setup/ducc0.sh $(PY)
	touch $@

lint: build
	clang-format-22 --dry-run -Werror $(SOURCES)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: $(VENV)/.tools
	clang-format-22 -i $(SOURCES)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

docs: build
	$(PY) tools/docs/generate.py $(BUILD)

sanitize: $(VENV)/.tools
	tools/setup/packages.sh libclang-rt-22-dev
	JOBS=$(JOBS) tools/setup/sanitize.sh $(BUILD)-asan $(VENV)

bench: build
	$(PY) benchmarks/compare.py

# On a machine with a GPU of NVIDIA and its driver; without, they say so and fail.
test-gpu: build
	$(PY) tools/gpu_tests.py --jobs $(JOBS) $(BUILD)

# Without one, in the emulator's checked mode: no race, no access out of bounds, no barrier or wait that is missing.
test-gpu-checked: build
	$(PY) tools/gpu_tests.py --checked --jobs $(JOBS) $(BUILD)

# Hours: every synchronisation of all kernels with shared memory is left out in turn.
MINUTES ?= 480
test-gpu-mutants: build
	$(PY) test/python/gpu/mutants.py --all --jobs $(JOBS) --minutes $(MINUTES) --report $(BUILD)/gpu-mutants.md \
		--resume $(BUILD)/gpu-mutants.json

bench-gpu: build
	$(PY) benchmarks/compare_gpu.py

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(VENV) .venv-newest .venv-cuda
