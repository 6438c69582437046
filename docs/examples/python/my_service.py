"""A small service, to have something to judge: agents register without a user, and read notes.

It has no claims yet, which the suite finds. Yours takes its place.

It keeps everything in memory, prints its URL as its first line, and ends with its stdin. Standard library only.
"""

import json
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"
DAY = 24 * 60 * 60
HOUR = 60 * 60

# By secret: when it ends, in seconds since 1970.
assertions = {}
tokens = {}


def issue(kept, lifetime):
    secret = secrets.token_urlsafe(32)
    kept[secret] = time.time() + lifetime
    return secret


def is_active(kept, secret):
    return time.time() < kept.get(secret, 0)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        answers = {"/api/notes": self.notes, RESOURCE: self.resource, SERVER: self.server_metadata}
        self.route({RESOURCE + "/api/notes": self.resource, "/auth.md": self.skill, **answers})

    def do_POST(self):
        answers = {"/agent/identity": self.register, "/oauth2/token": self.exchange}
        self.route({"/oauth2/revoke": self.revoke, **answers})

    def route(self, handlers):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        handlers.get(self.path.partition("?")[0], self.not_found)()

    def notes(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer" and is_active(tokens, token):
            return self.answer(200, {"notes": ["Buy milk."]})
        # What the agent has to read next (RFC 9728 §5.1), and what is wrong with a token (RFC 6750 §3.1).
        error = ', error="invalid_token"' if scheme else ""
        challenge = f'Bearer resource_metadata="{self.base}{RESOURCE}"{error}'
        self.answer(401, {"error": "invalid_token"}, {"WWW-Authenticate": challenge})

    def resource(self):
        self.answer(
            200,
            {
                "resource": f"{self.base}/api/notes",
                "authorization_servers": [self.base],
                "scopes_supported": ["notes.read"],
                "bearer_methods_supported": ["header"],
            },
        )

    def server_metadata(self):
        self.answer(
            200,
            {
                "issuer": self.base,
                "token_endpoint": f"{self.base}/oauth2/token",
                "revocation_endpoint": f"{self.base}/oauth2/revoke",
                "response_types_supported": [],
                "grant_types_supported": [JWT_BEARER],
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"],
                "scopes_supported": ["notes.read"],
                "agent_auth": {
                    "skill": f"{self.base}/auth.md",
                    "identity_endpoint": f"{self.base}/agent/identity",
                    "identity_types_supported": ["anonymous"],
                },
            },
        )

    def register(self):
        try:
            kind = json.loads(self.body)["type"]
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "invalid_request"})
        if kind != "anonymous":
            return self.answer(400, {"error": "unsupported_identity_type"})
        ends = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + DAY))
        self.answer(
            200,
            {
                "registration_id": secrets.token_urlsafe(12),
                "registration_type": "anonymous",
                "identity_assertion": issue(assertions, DAY),
                "assertion_expires": ends,
                "pre_claim_scopes": ["notes.read"],
            },
        )

    def form(self):
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}

    def exchange(self):
        form = self.form()
        if form.get("grant_type") != JWT_BEARER:
            return self.answer(400, {"error": "unsupported_grant_type"})
        if not is_active(assertions, form.get("assertion")):
            return self.answer(400, {"error": "invalid_grant"})
        token = {"access_token": issue(tokens, HOUR), "token_type": "Bearer"}
        self.answer(200, {**token, "expires_in": HOUR, "scope": "notes.read"})

    def revoke(self):
        tokens.pop(self.form().get("token"), None)
        self.answer(200, {})

    def skill(self):
        text = f"""# Notes, for agents

1. `POST {self.base}/agent/identity` with `{{"type": "anonymous"}}`.
2. `POST {self.base}/oauth2/token`, form-encoded: `grant_type={JWT_BEARER}`, and the `identity_assertion` as `assertion`.
3. `GET {self.base}/api/notes` with `Authorization: Bearer ACCESS_TOKEN`. On 401, do step 2 again; on `invalid_grant`, step 1.
4. Done: `POST {self.base}/oauth2/revoke` with `token`.
"""
        self.answer(200, text, {"Content-Type": "text/markdown; charset=utf-8"})

    def not_found(self):
        self.answer(404, {"error": "not_found"})

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, status, value, headers=None):
        body = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        common = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        for name, text in {**common, **(headers or {}), "Content-Length": len(body)}.items():
            self.send_header(name, str(text))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing is logged."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.read()
