"""Starts the mocks of agent-auth for tests, and controls them. Standard library only.

AGENT_AUTH is the command of the program. Without it npx runs that of this project, and installs none.
"""

import json
import os
import secrets
import shlex
import subprocess
import urllib.error
import urllib.request

PROGRAM = shlex.split(os.environ.get("AGENT_AUTH") or "npx --no -- agent-auth")
NOTHING = f"{PROGRAM} printed nothing. Type npm install agent-auth here, or set AGENT_AUTH."


class Mocks:
    """A mock service and a mock provider on free ports, with a clock that tests move."""

    def __init__(self, *options):
        self._token = secrets.token_urlsafe(24)
        # With the end of its stdin it ends, too: so it does not outlive a test run that was killed.
        self._process = subprocess.Popen(
            [*PROGRAM, "mock", "up", "--json", "--port", "0", "--until-stdin-ends", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "AGENT_AUTH_CONTROL_TOKEN": self._token},
            text=True,
        )
        # One line of JSON: the URLs, or what is wrong. No line: the program could not start at all.
        line = self._process.stdout.readline()
        ready = json.loads(line) if line else {}
        if ready.get("event") != "ready":
            self.close()
            message = ready.get("error", {}).get("message", NOTHING)
            raise RuntimeError(f"The mocks did not start: {message}")
        self.service = ready["service"]
        self.provider = ready["provider"]

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def control(self, path="", body=None, at=None):
        """A control of the service, or of the mock `at` a URL: GET without a body, POST with one."""
        request = urllib.request.Request(
            f"{at or self.service}/__mock{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.code} {error.read().decode()}") from error

    def reset(self):
        self.control("/reset", {})

    def pass_time(self, seconds):
        self.control("/clock", {"advance": f"{seconds}s"})

    def faults(self, *names):
        self.control("/faults", {"faults": names})

    def latest(self):
        """The newest registration, as `mock list --json` shows it."""
        return self.control("/registrations")["registrations"][0]

    def exchanges(self, path):
        """The requests that the service saw at this path, with their answers; secrets are fingerprints."""
        seen = self.control("/exchanges?limit=1000")["exchanges"]
        return [each for each in seen if each["path"] == path]

    def complete(self, email="alice@example.com"):
        """Does what the user of the open claim would do: sign in, type the code, approve."""
        self._decide("complete", {"email": email})

    def revoke(self):
        """Ends the registration, as its user does on the page of connections."""
        self._decide("revoke", {})

    def _decide(self, what, body):
        self.control(f"/registrations/{self.latest()['registration_id']}/{what}", body)
