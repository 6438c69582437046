"""Judges a service by the conformance suite of agent-auth; each check becomes a test of pytest.

SERVICE is the command that starts yours. It prints its URL as its first line, and ends with its stdin, or is
killed ten seconds later.
CONFORMANCE holds options of the suite, such as `--patience 2m`; `--section protocol` by default.
"""

import os
import shlex
import subprocess
import xml.etree.ElementTree as ElementTree
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from mocks import PROGRAM

SERVICE = shlex.split(os.environ.get("SERVICE", ""))
OPTIONS = shlex.split(os.environ.get("CONFORMANCE", "--section protocol"))
REPORT = Path(os.environ.get("CONFORMANCE_REPORT", "conformance.xml"))

if not SERVICE:
    pytest.skip("SERVICE names no command to start a service", allow_module_level=True)


@contextmanager
def service():
    pipe = subprocess.PIPE
    with subprocess.Popen(SERVICE, stdin=pipe, stdout=pipe, text=True) as process:
        url = process.stdout.readline().strip()
        try:
            if not url:
                raise RuntimeError(f"{SERVICE} printed no URL.")
            yield url
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


@cache
def judge():
    """Runs the suite once: its exit code, and the cases of its JUnit report, which CI keeps as well."""
    REPORT.unlink(missing_ok=True)
    with service() as url:
        line = [*PROGRAM, "conformance", "service", url, *OPTIONS, "--report", f"junit={REPORT}"]
        ended = subprocess.run(line, capture_output=True, text=True)
    if not REPORT.exists():
        raise RuntimeError(ended.stderr)
    return ended, list(ElementTree.parse(REPORT).iter("testcase"))


def pytest_generate_tests(metafunc):
    """The suite runs while pytest collects: only then is known which checks there are."""
    if "case" in metafunc.fixturenames:
        _, cases = judge()
        # A name ends in the id of its check: `… [anonymous.registered]`.
        ids = [case.get("name").rpartition("[")[2].rstrip("]") for case in cases]
        metafunc.parametrize("case", cases, ids=ids)


def test_conforms(case):
    failure = case.find("failure")
    if failure is None:
        failure = case.find("error")
    skipped = case.find("skipped")
    if failure is not None:
        pytest.fail(f"{failure.get('message')}\n{failure.text or ''}", pytrace=False)
    if skipped is not None:
        pytest.skip(skipped.get("message"))


def test_the_core_was_judged():
    """Exit 9: nothing failed, but too little was judged. 3: the baseline is stale."""
    ended, _ = judge()
    assert ended.returncode in (0, 1), ended.stdout
