"""A service on Python's standard library: anonymous and service_auth, with opaque assertions.

    python3 service.py [--clock-url URL] [--bug NAME]

It prints its address and ends with its standard input. A clock answers milliseconds since 1970.
"""

import argparse
import http.client
import json
import os
import re
import sys
import threading
import time
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import metadata
import pages
from store import Refused, Store, email_in

COOKIE = "python_session"
LARGEST_BODY = 64 * 1024
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
PUBLIC = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
PRM = "/.well-known/oauth-protected-resource"
API = "/api/resource"


def stamp(seconds):
    milliseconds = int(round(seconds * 1000))
    date = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000))
    return f"{date}.{milliseconds % 1000:03}Z"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "service"
    sys_version = ""
    timeout = 30
    # One write for an answer: two small ones would wait for each other.
    wbufsize = -1

    ROUTES = {
        "/": {"GET": "read"},
        API: {"GET": "read", "POST": "write"},
        PRM: {"GET": "resource_document"},
        PRM + API: {"GET": "resource_document"},
        "/.well-known/oauth-authorization-server": {"GET": "server_document"},
        "/auth.md": {"GET": "skill_document"},
        "/agent/identity": {"POST": "register"},
        "/agent/identity/claim": {"POST": "claim"},
        "/agent/identity/claim/complete": {"POST": "complete"},
        "/oauth2/token": {"POST": "token"},
        "/oauth2/revoke": {"POST": "revoke"},
        "/login": {"GET": "show_login", "POST": "log_in"},
        "/logout": {"POST": "log_out"},
        "/claim": {"GET": "show_claim"},
        "/connections": {"GET": "show_connections"},
        "/connections/end": {"POST": "end_connection"},
    }

    def do_GET(self):
        self.respond("GET")

    def do_HEAD(self):
        self.respond("GET")

    def do_POST(self):
        self.respond("POST")

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = lambda self: self.respond(self.command)

    def log_message(self, *_):
        """Addresses hold tokens: nothing is logged."""

    # From a request to its answer

    def respond(self, method):
        self.path_only, _, query = self.path.partition("?")
        try:
            self.check_fields()
            if self.server.store.bug == "unread-body":
                self.handler_for(method)
            self.body = self.read_body()
            self.check_host()
            self.query = dict(parse_qsl(query, keep_blank_values=True))
            handler = self.handler_for(method)
            with self.server.store.lock:
                self.server.store.tick()
                handler()
        except Refused as refused:
            self.refuse(refused)
        except Exception:  # noqa: BLE001: whatever broke, the client learns that alone
            self.refuse(Refused(500, "server_error", "Something broke here."))

    def handler_for(self, method):
        methods = self.ROUTES.get(self.path_only)
        if methods is None:
            raise Refused(404, "not_found", "There is nothing here.")
        if method not in methods:
            allow = [*methods, "HEAD"] if "GET" in methods else [*methods]
            raise Refused(405, "method_not_allowed", "Not so.", {"Allow": ", ".join(allow)})
        return getattr(self, methods[method])

    def check_fields(self):
        """A line that is no field ends the header for the parser: the rest would be another request."""
        if self.headers.defects:
            self.close_connection = True
            raise Refused(400, "invalid_request", "The header is malformed.")

    def read_body(self):
        """All of it, so that the next request of the connection begins where this one ends."""
        if self.headers.get("Transfer-Encoding") is not None:
            return self.read_chunks()
        lengths = self.headers.get_all("Content-Length", ["0"])
        if len(set(lengths)) != 1 or not re.fullmatch(r"[0-9]{1,12}", lengths[0]):
            self.close_connection = True
            raise Refused(400, "invalid_request", "The length of the body is not clear.")
        length = int(lengths[0])
        if length > LARGEST_BODY:
            self.close_connection = True
            # What is on its way would reset the connection, and the answer with it.
            self.rfile.read(min(length, 16 * LARGEST_BODY))
            raise Refused(413, "invalid_request", "The body is too large.")
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            raise Refused(400, "invalid_request", "The body is cut.")
        return body

    def read_chunks(self):
        # Whoever sends both may mean to smuggle a request (RFC 9112 §6.3).
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked" or "Content-Length" in self.headers:
            self.close_connection = True
            raise Refused(400, "invalid_request", "The length of the body is not clear.")
        body = b""
        while True:
            line = self.rfile.readline(1024).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,6}", line):
                self.close_connection = True
                raise Refused(400, "invalid_request", "A chunk is not right.")
            size = int(line, 16)
            body += self.rfile.read(size) if len(body) + size <= LARGEST_BODY else b""
            if len(body) < size:
                self.close_connection = True
                raise Refused(413, "invalid_request", "The body is too large, or cut.")
            if size == 0:
                break
            self.rfile.readline(8)
        while self.rfile.readline(8192).strip():
            pass
        return body

    def check_host(self):
        port = self.server.server_address[1]
        if self.headers.get_all("Host", []) not in ([f"127.0.0.1:{port}"], [f"localhost:{port}"]):
            raise Refused(421, "misdirected_request", "This host is not served here.")

    def media_type(self):
        return self.headers.get("Content-Type", "").split(";")[0].strip().lower()

    def json_body(self):
        if self.media_type() != "application/json":
            raise Refused(415, "invalid_request", "Send application/json.")
        try:
            value = json.loads(self.body.decode(), object_pairs_hook=once)
        except (ValueError, RecursionError):
            raise Refused(400, "invalid_request", "The body is not JSON.") from None
        if not isinstance(value, dict):
            raise Refused(400, "invalid_request", "The body is not an object.")
        return value

    def form_body(self):
        if self.media_type() != "application/x-www-form-urlencoded":
            raise Refused(415, "invalid_request", "Send application/x-www-form-urlencoded.")
        try:
            pairs = parse_qsl(self.body.decode(), keep_blank_values=True, errors="strict")
            return once(pairs)
        except ValueError:
            raise Refused(400, "invalid_request", "A parameter is there twice, or no text.") from None

    def send(self, status, body, headers):
        data = body.encode()
        self.send_response(status)
        for name, value in {"X-Content-Type-Options": "nosniff", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            # Announced, or the client's next request meets an end that it did not expect.
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_json(self, status, value, headers=NO_STORE):
        self.send(status, json.dumps(value), {"Content-Type": "application/json", **headers})

    def send_page(self, status, text, cookie=None):
        self.send(status, text, pages.HEADERS | self.cookie_header(cookie))

    def redirect(self, location, cookie=None):
        self.send(303, "", NO_STORE | {"Location": location} | self.cookie_header(cookie))

    def cookie_header(self, value):
        if value is None:
            return {}
        ends = "; Max-Age=0" if value == "" else ""
        return {"Set-Cookie": f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax{ends}"}

    def refuse(self, refused):
        body = {"error": refused.code, "error_description": refused.message} | refused.members
        headers = NO_STORE | refused.headers
        if self.path_only.startswith("/agent/"):
            body["message"] = refused.message
            if refused.status == 401:
                headers = {"WWW-Authenticate": f'AgentAuth error="{refused.code}"'} | headers
        self.send_json(refused.status, body, headers)

    # Documents

    def resource_document(self):
        path = self.path_only.removeprefix(PRM)
        self.send_json(200, metadata.resource_metadata(self.server.base, path), PUBLIC)

    def server_document(self):
        self.send_json(200, metadata.server_metadata(self.server.base), PUBLIC)

    def skill_document(self):
        headers = {"Content-Type": "text/markdown; charset=utf-8"} | PUBLIC
        self.send(200, metadata.skill(self.server.base), headers)

    # The protected resource

    def read(self):
        self.resource("api.read", "Read.")

    def write(self):
        self.resource("api.write", "Written.")

    def resource(self, scope, message):
        path = "" if self.path_only == "/" else self.path_only
        challenge = f'Bearer resource_metadata="{self.server.base}{PRM}{path}"'
        sent = self.headers.get_all("Authorization", [])
        scheme, _, value = (sent[0].strip() if sent else "").partition(" ")
        if scheme.lower() != "bearer":
            raise Refused(401, "missing_token", "Send a token.", {"WWW-Authenticate": challenge})
        found = self.server.store.token(value.strip()) if len(sent) == 1 else None
        if found is None:
            challenge += ', error="invalid_token"'
            raise Refused(401, "invalid_token", "Not in force.", {"WWW-Authenticate": challenge})
        registration, scopes = found
        if scope not in scopes:
            challenge += f', error="insufficient_scope", scope="{scope}"'
            raise Refused(403, "insufficient_scope", scope, {"WWW-Authenticate": challenge})
        user = None if registration.claimed is None else {"email": registration.email}
        answer = {"message": message, "registration_id": registration.id}
        self.send_json(200, answer | {"scope": " ".join(scopes), "user": user})

    # Registration and claim

    def register(self):
        body = self.json_body()
        kind = text(body, "type")
        if kind == "anonymous":
            return self.register_anonymous()
        if kind == "identity_assertion":
            message = "This service knows no provider of identities."
            raise Refused(400, "identity_assertion_not_enabled", message)
        if kind != "service_auth":
            raise Refused(400, "invalid_request", "This type is unknown.")
        email = email_in(text(body, "login_hint"))
        if email is None:
            raise Refused(400, "invalid_login_hint", "login_hint is no email address.")
        store = self.server.store
        registration, claim_token = store.register(kind, email)
        claim = self.shown(registration, *store.start_attempt(registration))
        self.send_json(200, self.members(registration, claim_token) | {"claim": claim})

    def register_anonymous(self):
        store = self.server.store
        registration, claim_token = store.register("anonymous")
        assertion = store.new_assertion(registration, registration.ends)
        more = {
            "identity_assertion": assertion,
            "assertion_expires": stamp(registration.ends),
            "pre_claim_scopes": list(registration.scopes),
        }
        self.send_json(200, self.members(registration, claim_token) | more)

    def members(self, registration, claim_token):
        return {
            "registration_id": registration.id,
            "registration_type": registration.kind,
            "claim_url": self.server.base + "/agent/identity/claim",
            "claim_token": claim_token,
            "claim_token_expires": stamp(registration.ends),
            "post_claim_scopes": ["api.read", "api.write"],
        }

    def shown(self, registration, token, code):
        attempt = registration.attempt
        return {
            "user_code": code,
            "verification_uri": self.server.base + pages.claim_path(token),
            "expires_in": int(attempt.ends - self.server.store.now()),
            "interval": attempt.interval,
        }

    def claim(self):
        body = self.json_body()
        claim_token = text(body, "claim_token")
        email = None
        if "email" in body:
            email = email_in(text(body, "email"))
            if email is None:
                raise Refused(400, "invalid_request", "email is no email address.")
        registration, token, code = self.server.store.open_claim(claim_token, email)
        self.send_json(
            200,
            {
                "registration_id": registration.id,
                "claim_attempt_id": "cla_" + registration.attempt.key[:24],
                "status": "initiated",
                "expires_at": stamp(registration.attempt.ends),
                "claim_attempt": self.shown(registration, token, code),
            },
        )

    # Tokens

    def client_form(self):
        form = self.form_body()
        if "Authorization" in self.headers or {"client_secret", "client_assertion"} & form.keys():
            challenge = {"WWW-Authenticate": 'Basic realm="clients"'}
            raise Refused(401, "invalid_client", "Clients have no secret here.", challenge)
        return form

    def token(self):
        form = self.client_form()
        grant = needed(form, "grant_type")
        store = self.server.store
        if grant == metadata.JWT_BEARER:
            registration = store.exchange(needed(form, "assertion"))
            if form.get("resource", "") not in ("", self.server.base, self.server.base + "/", self.server.base + API):
                raise Refused(400, "invalid_target", "This resource is not here.")
            asked = form.get("scope", "").split()
            if not set(asked) <= set(registration.scopes):
                raise Refused(400, "invalid_scope", "That is more than the agent may do.")
            scopes = tuple(s for s in registration.scopes if not asked or s in asked)
            return self.send_json(200, self.token_answer(registration, scopes))
        if grant == metadata.CLAIM_GRANT:
            registration = store.poll(needed(form, "claim_token"))
            answer = self.token_answer(registration, registration.scopes)
            ends = registration.delivered + 30 * 86400
            if registration.assertion is None:
                registration.assertion = store.new_assertion(registration, ends)
            assertion = registration.assertion
            more = {"identity_assertion": assertion, "assertion_expires": stamp(ends)}
            return self.send_json(200, answer | more)
        raise Refused(400, "unsupported_grant_type", "This grant is unknown.")

    def token_answer(self, registration, scopes):
        value, seconds = self.server.store.new_token(registration, scopes)
        answer = {"access_token": value, "token_type": "Bearer", "expires_in": seconds}
        return answer | {"scope": " ".join(scopes)}

    def revoke(self):
        value = needed(self.client_form(), "token")
        self.server.store.revoke_token(value)
        self.send(200, "", NO_STORE)

    # The user

    def cookie(self):
        try:
            jar = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            return ""
        return jar[COOKIE].value if COOKIE in jar else ""

    def session(self):
        return self.server.store.session(self.cookie())

    def own_form(self):
        """The form of a page of ours, and the session that saw it."""
        form, session = self.form_body(), self.session()
        origin = self.headers.get("Origin")
        is_own = origin == self.server.base or (
            origin == "null" and self.headers.get("Sec-Fetch-Site") == "same-origin"
        )
        if session is None or not is_own or form.get("csrf_token") != session.csrf:
            raise Refused(403, "csrf_failed", "This form is not from a page of ours.")
        return form, session

    def own_path(self, target):
        """Only paths that a browser cannot take for another host."""
        if target and re.fullmatch(r"/([A-Za-z0-9_-][\x21-\x5b\x5d-\x7e]*)?", target):
            parts = urlsplit(target)
            if "//" not in parts.path and "/." not in parts.path:
                return target
        return "/connections"

    def show_login(self):
        target = self.own_path(self.query.get("return_to"))
        session, cookie = self.session(), None
        if session is not None and session.email is not None:
            return self.redirect(target)
        if session is None:
            cookie = self.server.store.begin_session()
            session = self.server.store.session(cookie)
        self.send_page(200, pages.sign_in(session.csrf, target), cookie)

    def log_in(self):
        form, session = self.own_form()
        target = self.own_path(form.get("return_to"))
        email = email_in(form.get("email", "").strip())
        if email is None:
            note = pages.note("That is no email address.")
            return self.send_page(400, pages.sign_in(session.csrf, target, note))
        self.server.store.end_session(self.cookie())
        self.redirect(target, self.server.store.begin_session(email))

    def log_out(self):
        form, _ = self.own_form()
        self.server.store.end_session(self.cookie())
        self.redirect("/login?return_to=" + pages.quote(self.own_path(form.get("return_to"))), "")

    def signed_in(self, return_to):
        """The session of a user, or None after the browser was sent to sign in."""
        session = self.session()
        if session is not None and session.email is not None:
            return session
        if self.wants_json():
            raise Refused(401, "login_required", "Sign in first.")
        self.redirect("/login?return_to=" + pages.quote(return_to, safe=""))
        return None

    def wants_json(self):
        if self.command == "POST":
            return self.media_type() == "application/json"
        return self.headers.get("Accept", "").startswith("application/json")

    def show_claim(self):
        token = self.query.get("claim_attempt_token", "")
        session = self.signed_in(pages.claim_path(token))
        if session is None:
            return
        try:
            registration = self.server.store.attempt_for(token, session.email)
        except Refused as refused:
            return self.stop(refused, session, token)
        if registration.claimed is not None:
            return self.tell("claimed", registration)
        if registration.attempt.denied:
            return self.tell("denied", registration)
        if self.wants_json():
            scopes = {"registration_type": registration.kind, "scopes": ["api.read", "api.write"]}
            return self.send_json(200, scopes | {"csrf_token": session.csrf})
        self.send_page(200, pages.claim(session, registration, token))

    def complete(self):
        session = self.signed_in("/connections")
        if session is None:
            return
        given = self.own_json(session) if self.wants_json() else self.own_form()[0]
        token, code = given.get("claim_attempt_token", ""), given.get("user_code", "")
        if token == "":
            raise Refused(400, "invalid_request", "claim_attempt_token is missing.")
        try:
            is_denial = given.get("decision") == "deny"
            self.tell(*self.server.store.decide(token, session.email, code, is_denial))
        except Refused as refused:
            self.stop(refused, session, token)

    def own_json(self, session):
        body = self.json_body()
        proof = self.headers.get("X-CSRF-Token", body.get("csrf_token"))
        if self.headers.get("Origin", self.server.base) != self.server.base or proof != session.csrf:
            raise Refused(403, "csrf_failed", "This request is not from a page of ours.")
        for name in ("claim_attempt_token", "user_code", "decision"):
            if name in body and not isinstance(body[name], str):
                raise Refused(400, "invalid_request", f"{name} has to be a string.")
        return body

    def tell(self, status, registration):
        if self.wants_json():
            return self.send_json(200, {"status": status, "registration_id": registration.id})
        self.send_page(200, pages.outcome(status))

    def stop(self, refused, session, token):
        """Says on a page what is in the way, with the form where another try is left."""
        if self.wants_json():
            raise refused
        if refused.members.get("attempts_remaining", 0) > 0:
            registration = self.server.store.attempt_for(token, session.email)
            note = pages.note(refused.message)
            return self.send_page(400, pages.claim(session, registration, token, note))
        leave = ""
        if refused.code == "wrong_account":
            leave = pages.sign_out(session.csrf, pages.claim_path(token))
        self.send_page(refused.status, pages.problem(refused.message, leave))

    def show_connections(self):
        session = self.signed_in("/connections")
        if session is not None:
            own = self.server.store.connections(session.email)
            self.send_page(200, pages.connections(session, own))

    def end_connection(self):
        form, session = self.own_form()
        for each in self.server.store.connections(session.email):
            if each.id == form.get("registration_id"):
                self.server.store.end(each)
                return self.redirect("/connections")
        self.send_page(404, pages.problem("Nothing of that name acts for you."))


def once(pairs):
    """A dictionary of pairs whose names differ. Raises ValueError."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def text(body, name):
    value = body.get(name)
    if not isinstance(value, str) or value == "" or not is_text(value):
        raise Refused(400, "invalid_request", f"{name} has to be a string.")
    return value


def is_text(value):
    return "\0" not in value and not re.search("[\ud800-\udfff]", value)


def needed(form, name):
    if form.get(name, "") == "":
        raise Refused(400, "invalid_request", f"{name} is missing.")
    return form[name]


def clock_at(url):
    """Asks a clock for each instant; the machine's own where there is none."""
    if url is None:
        return time.time
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=5)

    def ask():
        connection.request("GET", "/")
        return int(connection.getresponse().read()) / 1000

    return ask


def end_with_parent():
    sys.stdin.buffer.read()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clock-url")
    parser.add_argument("--bug")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.base = f"http://127.0.0.1:{server.server_address[1]}"
    server.store = Store(clock_at(options.clock_url), options.bug)
    threading.Thread(target=end_with_parent, daemon=True).start()
    print(server.base, flush=True)
    server.serve_forever()


main()
