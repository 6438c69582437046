#!/usr/bin/env python3
"""An agent on Python's standard library, one request after the other. It knows anonymous registrations and those by
email, and their claims. It believes no document with a wrong or missing member, no URL off the issuer's origin and
nothing whose end has passed. Written from the specification, RFC 8414, RFC 8628 and RFC 9728 alone."""

import datetime
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

LARGEST = 256 * 1024
PATIENCE = 5
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class Refused(Exception):
    """What the agent tells its user."""


class Stay(urllib.request.HTTPRedirectHandler):
    """No redirect is followed."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Stay)


def need(holds, message):
    if not holds:
        raise Refused(message)


def origin_of(url):
    parts = urllib.parse.urlsplit(url)
    return (parts.scheme, parts.hostname, parts.port)


def is_url(url):
    if not isinstance(url, str) or not re.fullmatch(r"[!-~]+", url) or "\\" in url:
        return False
    try:
        parts = urllib.parse.urlsplit(url)
        scheme, host, _ = origin_of(url)
    except ValueError:
        return False
    is_safe = scheme == "https" or (scheme == "http" and host == "127.0.0.1")
    return bool(is_safe and host and "@" not in parts.netloc and "#" not in url)


def is_text(value):
    return isinstance(value, str) and re.fullmatch(r"[!-~]+", value) is not None


def is_texts(value):
    return isinstance(value, list) and len(value) > 0 and all(is_text(each) for each in value)


def ask(url, body=None, headers=None):
    """Status, headers and text of an answer; too long or too slow a one is refused."""
    need(is_url(url), "this is no URL that I may ask")
    request = urllib.request.Request(url, data=body, headers={"Accept": "application/json", **(headers or {})})
    end = time.monotonic() + PATIENCE
    try:
        try:
            answer = OPENER.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            data = b""
            while chunk := answer.read1(8192):
                data += chunk
                need(len(data) <= LARGEST and time.monotonic() < end, "the answer is too long or too slow")
            return answer.status, answer.headers, data.decode("utf-8")
    except (OSError, http.client.HTTPException, UnicodeDecodeError):
        raise Refused("no right answer of " + str(urllib.parse.urlsplit(url).hostname)) from None


def read(answer, what):
    status, headers, text = answer
    need(status == 200, f"{what}: status {status}")
    need(headers.get_content_type() == "application/json", f"{what}: no JSON")
    return parse(text, what)


def parse(text, what):
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    need(isinstance(found, dict), f"{what}: no JSON object")
    return found


def post_json(url, **members):
    return ask(url, json.dumps(members).encode(), {"Content-Type": "application/json"})


def post_form(url, **members):
    form = urllib.parse.urlencode(members).encode()
    return ask(url, form, {"Content-Type": "application/x-www-form-urlencoded"})


def discover(resource):
    status, headers, _ = ask(resource)
    need(status == 401, f"status {status} without a token")
    challenges = ", ".join(headers.get_all("WWW-Authenticate") or [])
    found = re.search(r'\bresource_metadata=(?:"([^"]*)"|([^\s,"]+))', challenges, re.I)
    need(found is not None, "the challenge names no metadata")
    metadata = read(ask(found[1] or found[2]), "resource metadata")
    named = metadata.get("resource")
    need(is_url(named) and (named == resource or resource.startswith(named.rstrip("/") + "/")), "another resource")
    need(is_texts(metadata.get("authorization_servers")), "no authorization_servers")
    for issuer in metadata["authorization_servers"]:
        server = read(server_metadata(issuer), "server metadata")
        need(server.get("issuer") == issuer, "another issuer")
        if "agent_auth" in server:
            return whole(server)
    raise Refused("no server takes agents")


def server_metadata(issuer):
    need(is_url(issuer), "an issuer that is no URL")
    parts = urllib.parse.urlsplit(issuer)
    base = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    places = [base + "/.well-known/oauth-authorization-server" + path]
    if path:
        plain = "/.well-known/oauth-authorization-server"
        places += [base + plain, base + path + plain]
    for place in places:
        answer = ask(place)
        if answer[0] != 404:
            break
    return answer


def whole(server):
    """The server's metadata, checked member by member."""
    block = server["agent_auth"]
    need(isinstance(block, dict), "agent_auth is no object")
    endpoints = {
        "token": server.get("token_endpoint"),
        "revocation": server.get("revocation_endpoint"),
        "identity": block.get("identity_endpoint"),
        "claim": block.get("claim_endpoint"),
    }
    for name, url in endpoints.items():
        need(is_url(url) and origin_of(url) == origin_of(server["issuer"]), f"the {name} endpoint is not the issuer's")
    need(is_texts(server.get("grant_types_supported")), "no grant_types_supported")
    need(is_texts(block.get("identity_types_supported")), "no identity_types_supported")
    grants = [g for g in server["grant_types_supported"] if re.search(r":grant-type:claim(_token)?$", g)]
    grant = block.get("claim_grant_type", grants[0] if grants else None)
    return {**endpoints, "grant": grant, "types": block["identity_types_supported"], "issuer": server["issuer"]}


class Agent:
    def __init__(self, context):
        self.context = context
        self.resource = context["resource"]
        folder = os.path.join(os.environ["HOME"], ".python-agent")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.file = os.path.join(folder, urllib.parse.quote(self.resource, safe="") + ".json")
        self.kept = {}
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                self.kept = json.load(file)

    def keep(self, **members):
        self.kept.update(members)
        with open(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self.kept, file)

    def register(self):
        if self.kept:
            return
        found = discover(self.resource)
        kind = self.context["type"]
        need(kind in found["types"], f"the service takes no {kind} registrations")
        members = {"type": kind}
        if kind == "service_auth":
            members["login_hint"] = self.context["email"]
        answer = read(post_json(found["identity"], **members), "registration")
        need(is_text(answer.get("claim_token")), "an incomplete registration")
        if kind == "anonymous":
            need(is_text(answer.get("identity_assertion")), "an incomplete registration")
            need(not is_over(answer.get("assertion_expires")), "an assertion that is over")
        self.keep(**found, claim_token=answer["claim_token"], assertion=answer.get("identity_assertion"))
        if kind == "service_auth":
            self.show(answer.get("claim"))

    def show(self, attempt):
        need(isinstance(attempt, dict), "no claim attempt")
        code, page = attempt.get("user_code"), attempt.get("verification_uri")
        need(is_text(code) and len(code) <= 32, "no user code")
        need(is_url(page) and origin_of(page) == origin_of(self.kept["issuer"]), "the page is not the service's")
        seconds = attempt.get("expires_in", 600)
        interval = attempt.get("interval", 5)
        need(all(type(each) in (int, float) and each > 0 for each in (seconds, interval)), "times that are no numbers")
        self.keep(interval=max(1, min(interval, 60)), until=time.time() + min(seconds, 86400))
        print(f"Open {page} and type the code {code}.", flush=True)

    def begin(self):
        self.register()
        if "until" not in self.kept:
            email = self.context["email"]
            answer = read(post_json(self.kept["claim"], claim_token=self.kept["claim_token"], email=email), "claim")
            self.show(answer.get("claim_attempt"))

    def wait(self):
        need("until" in self.kept, "no claim is open")
        interval = self.kept["interval"]
        while True:
            time.sleep(interval)
            if time.time() >= self.kept["until"]:
                self.forget_attempt()
                raise Refused("the code is over; ask me for another one")
            try:
                answer = self.poll()
            except Refused as refused:
                if "no right answer" not in str(refused):
                    raise
                interval = min(interval * 2, 60)
                continue
            status, headers, text = answer
            if status == 200:
                return self.take(read(answer, "claim"))
            if status in (429, 503):
                after = headers.get("Retry-After", "")
                interval = max(interval, min(int(after), 60) if after.isdigit() else interval)
                continue
            error = parse(text, "claim").get("error")
            if error == "expired_token":
                self.forget_attempt()
            need(error in ("authorization_pending", "slow_down"), f"the claim ended: {printable(error)}")
            if error == "slow_down":
                interval += 5

    def forget_attempt(self):
        """So that the next claim opens another."""
        del self.kept["until"]
        self.keep()

    def poll(self):
        return post_form(self.kept["token"], grant_type=self.kept["grant"], claim_token=self.kept["claim_token"])

    def take(self, answer):
        need(is_text(answer.get("identity_assertion")), "no assertion after the claim")
        self.take_token(answer)
        self.keep(assertion=answer["identity_assertion"], claim_token=None)

    def take_token(self, answer):
        need(str(answer.get("token_type")).lower() == "bearer", "no bearer token")
        token = answer.get("access_token")
        need(is_text(token) and re.fullmatch(r"[\w.~+/-]+=*", token), "no bearer token")
        self.keep(access=token)

    def exchange(self):
        need(self.kept.get("assertion"), "no assertion yet: the user has to claim the registration")
        answer = post_form(self.kept["token"], grant_type=JWT_BEARER, assertion=self.kept["assertion"])
        self.take_token(read(answer, "exchange"))

    def get(self):
        status = ask(self.resource, headers={"Authorization": "Bearer " + self.kept["access"]})[0]
        return status

    def call(self):
        self.register()
        is_new = "access" not in self.kept
        if is_new:
            self.exchange()
        status = self.get()
        if status == 401 and not is_new:
            status = self.again()
        need(status == 200, f"the call was answered {status}; ask your user before I register again")

    def again(self):
        """A 401: one exchange, then one poll where a claim may have been completed."""
        try:
            self.exchange()
            status = self.get()
        except Refused:
            status = 401
        if status == 401 and self.kept.get("claim_token"):
            answer = self.poll()
            if answer[0] == 200:
                self.take(read(answer, "claim"))
                status = self.get()
        return status

    def leave(self):
        need("access" in self.kept, "there is nothing to leave")
        need(post_form(self.kept["revocation"], token=self.kept["access"])[0] == 200, "the token was not revoked")
        os.remove(self.file)


def printable(text):
    return re.sub(r"[^\w.-]", "?", str(text), flags=re.A)[:80]


def is_over(instant):
    try:
        end = datetime.datetime.fromisoformat(str(instant))
        return end <= datetime.datetime.now(datetime.timezone.utc)
    except (TypeError, ValueError):
        return True


def main():
    context = json.loads(os.environ["AGENT_AUTH_CONTEXT"])
    tasks = {
        "call": [Agent.call],
        "begin": [Agent.begin],
        "claim": [Agent.begin, Agent.wait, Agent.call],
        "resume": [Agent.wait, Agent.call],
        "leave": [Agent.leave],
    }
    if context["task"] not in tasks or context["type"] not in ("anonymous", "service_auth"):
        return 77
    try:
        agent = Agent(context)
        for step in tasks[context["task"]]:
            step(agent)
    except Refused as refused:
        print(f"python-agent: {refused}", file=sys.stderr)
        return 1
    print("done")
    return 0


sys.exit(main())
