# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random whole programs: every target gives the reference interpreter's integers."""

from hypothesis import given, settings
from random_cases import check
from random_programs import programs


@settings(max_examples=settings.default.max_examples * 4)
@given(programs(steps=6))
def test_short_programs(case):
    check(case)


@settings(max_examples=settings.default.max_examples * 4)
@given(programs(steps=25))
def test_long_programs(case):
    check(case)
