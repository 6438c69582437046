"""A small agent, to have something to test: it registers, has itself claimed, calls. Standard library only."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class Refused(Exception):
    """An answer that says no."""

    def __init__(self, status, code, challenge=""):
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code
        self.challenge = challenge


class AccessEnded(Exception):
    """The user has ended the agent's access. It has to register anew, and to ask for it."""


class Agent:
    def __init__(self, resource, sleep):
        """`sleep` waits for that many seconds; a test has it move the clock of the mocks instead."""
        self.resource = resource
        self.sleep = sleep
        self.metadata = self._discover()
        self.token = None

    def register(self):
        answer = self._post_json(self._agent_auth("identity_endpoint"), {"type": "anonymous"})
        self.assertion = answer["identity_assertion"]
        self.claim_token = answer["claim_token"]

    def start_claim(self, email):
        """What the user is shown: a code, and the page to type it on."""
        body = {"claim_token": self.claim_token, "email": email}
        self.attempt = self._post_json(self._agent_auth("claim_endpoint"), body)["claim_attempt"]
        return self.attempt["user_code"], self.attempt["verification_uri"]

    def await_claim(self):
        """Polls until the user has decided (RFC 8628 §3.5)."""
        grants = self.metadata["grant_types_supported"]
        grant = next(each for each in grants if each.endswith(":grant-type:claim"))
        interval = self.attempt.get("interval", 5)
        while True:
            self.sleep(interval)
            try:
                answer = self._post_token({"grant_type": grant, "claim_token": self.claim_token})
                break
            except Refused as refused:
                if refused.code == "slow_down":
                    interval += 5
                elif refused.code != "authorization_pending":
                    raise
        self.token = answer["access_token"]
        self.assertion = answer["identity_assertion"]

    def call(self, method="GET"):
        """Calls the API, with a new token where the last one no longer works."""
        if self.token is None:
            self._exchange()
        try:
            return self._send(self.resource, method=method, token=self.token)
        except Refused as refused:
            if refused.status != 401:
                raise
        self._exchange()
        return self._send(self.resource, method=method, token=self.token)

    def _exchange(self):
        try:
            answer = self._post_token({"grant_type": JWT_BEARER, "assertion": self.assertion})
        except Refused as refused:
            if refused.code == "invalid_grant":
                raise AccessEnded from refused
            raise
        self.token = answer["access_token"]

    def _discover(self):
        """From the challenge of a call without a token, by two documents."""
        try:
            self._send(self.resource)
            raise RuntimeError(f"{self.resource} needs no token.")
        except Refused as refused:
            where = re.search(r'resource_metadata="([^"]+)"', refused.challenge)[1]
        server = self._send(where)["authorization_servers"][0]
        return self._send(f"{server}/.well-known/oauth-authorization-server")

    def _agent_auth(self, name):
        return self.metadata["agent_auth"][name]

    def _post_json(self, url, body):
        return self._send(url, "POST", json.dumps(body).encode(), "application/json")

    def _post_token(self, form):
        body = urllib.parse.urlencode(form).encode()
        return self._send(
            self.metadata["token_endpoint"], "POST", body, "application/x-www-form-urlencoded"
        )

    def _send(self, url, method="GET", body=None, content_type=None, token=None):
        headers = {"Content-Type": content_type} if content_type else {}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            challenge = error.headers.get("WWW-Authenticate", "")
            raise Refused(error.code, _code(error.read()), challenge) from error


def _code(text):
    try:
        return json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return ""
