"""Judges a service by the conformance suite of agent-auth; each check becomes a test of pytest.

SERVICE is the command that starts yours. It prints its URL as its first line, and ends with its stdin; or
SERVICE_URL says where it listens, and it is stopped by SIGTERM, as web frameworks are. It is killed ten seconds
later.
CONFORMANCE holds options of the suite, such as `--patience 2m`; `--section protocol` by default.
"""

import os
import shlex
import socket
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from mocks import PROGRAM

SERVICE = shlex.split(os.environ.get("SERVICE", ""))
SERVICE_URL = os.environ.get("SERVICE_URL", "")
PATIENCE = 30  # seconds until a service says its URL, or listens
OPTIONS = shlex.split(os.environ.get("CONFORMANCE", "--section protocol"))
REPORT = Path(os.environ.get("CONFORMANCE_REPORT", "conformance.xml"))

if not SERVICE:
    pytest.skip("SERVICE names no command to start a service", allow_module_level=True)


@contextmanager
def service():
    """The URL of the service, while it runs."""
    pipe = subprocess.PIPE
    said = None if SERVICE_URL else pipe
    try:
        process = subprocess.Popen(SERVICE, stdin=pipe, stdout=said, text=True)
    except OSError as error:
        raise RuntimeError(f"SERVICE cannot be started: {error}") from None
    with process:
        try:
            if SERVICE_URL:
                await_listening(process)
            yield SERVICE_URL or read_url(process)
        finally:
            if SERVICE_URL:
                process.terminate()
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def read_url(process):
    """The first line that it prints. One that prints nothing, and goes on, is not waited for."""
    late = threading.Timer(PATIENCE, process.kill)
    late.start()
    line = process.stdout.readline().strip()
    late.cancel()
    if line.startswith(("http://", "https://")):
        return line
    what = f"printed {line!r} first" if line else "printed nothing"
    raise RuntimeError(f"SERVICE {what}, and not its URL: {shlex.join(SERVICE)}. Or set SERVICE_URL.")


def await_listening(process):
    url = urlsplit(SERVICE_URL)
    place = (url.hostname, url.port or (443 if url.scheme == "https" else 80))
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        try:
            return socket.create_connection(place, timeout=1).close()
        except OSError:
            time.sleep(0.1)
    what = "has ended" if process.poll() is not None else f"does not listen after {PATIENCE} s"
    raise RuntimeError(f"SERVICE {what}, at {SERVICE_URL}: {shlex.join(SERVICE)}")


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
        # Its text has the message, too.
        pytest.fail(failure.text or failure.get("message"), pytrace=False)
    if skipped is not None:
        pytest.skip(skipped.get("message"))


def test_the_core_was_judged():
    """Exit 9: nothing failed, but too little was judged. 3: the baseline is stale."""
    ended, _ = judge()
    assert ended.returncode in (0, 1), ended.stdout
