"""Cross-app access with Authlib: a user signs in to a client, which then calls a tool of an MCP server.

Run it against `agent-auth mock up --client app:a-test-secret`:

    python3 cross_app.py http://127.0.0.1:4801 http://127.0.0.1:4800
"""

import os
import re
import sys
from html import unescape
from urllib.parse import urljoin

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

GRANT = "urn:ietf:params:oauth:grant-type:"
TOKEN = "urn:ietf:params:oauth:token-type:"
CALLBACK = "http://127.0.0.1:9000/callback"

# The mocks answer on this machine, without TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"


def sign_in(browser, url, email):
    """What a user does in a browser: the URL that leads back to the client."""
    page = browser.get(url)
    fields = dict(re.findall(r'name="(csrf_token|return_to)" value="([^"]*)"', page.text))
    fields = {name: unescape(value) for name, value in fields.items()}
    form = {**fields, "email": email}
    headers = {"origin": urljoin(page.url, "/").rstrip("/")}
    answer = browser.post(urljoin(page.url, "/login"), data=form, headers=headers, allow_redirects=False)
    while not answer.headers["location"].startswith(CALLBACK):
        answer = browser.get(urljoin(page.url, answer.headers["location"]), allow_redirects=False)
    return answer.headers["location"]


def main(provider, service, method="client_secret_basic"):
    credentials = ("app", "a-test-secret")
    known = requests.get(f"{provider}/.well-known/openid-configuration").json()
    client = OAuth2Session(
        *credentials,
        scope="openid email offline_access",
        redirect_uri=CALLBACK,
        token_endpoint_auth_method=method,
        code_challenge_method="S256",
    )
    verifier = generate_token(48)
    url, state = client.create_authorization_url(
        known["authorization_endpoint"], code_verifier=verifier, nonce="a-nonce"
    )
    back = sign_in(requests.Session(), url, "alice@example.com")
    client.fetch_token(
        known["token_endpoint"], authorization_response=back, code_verifier=verifier, state=state
    )
    tokens = client.refresh_token(known["token_endpoint"])
    claims = jwt.decode(
        tokens["id_token"], JsonWebKey.import_key_set(requests.get(known["jwks_uri"]).json())
    )
    claims.validate()

    def post(url, **fields):
        answer = requests.post(url, data=fields, auth=credentials)
        answer.raise_for_status()
        return answer.json()

    id_jag = post(
        known["token_endpoint"],
        grant_type=GRANT + "token-exchange",
        requested_token_type=TOKEN + "id-jag",
        subject_token_type=TOKEN + "id_token",
        subject_token=tokens["id_token"],
        audience=service,
        resource=f"{service}/mcp",
        scope="api.read",
    )["access_token"]
    access_token = post(f"{service}/oauth2/token", grant_type=GRANT + "jwt-bearer", assertion=id_jag)[
        "access_token"
    ]
    told = post(f"{service}/oauth2/introspect", token=access_token)
    call = requests.post(
        f"{service}/mcp",
        headers={
            "authorization": f"Bearer {access_token}",
            "accept": "application/json, text/event-stream",
        },
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "who_am_i", "arguments": {}}},
    )
    call.raise_for_status()
    print(claims["email"], told["client_id"], told["scope"], call.status_code)


if __name__ == "__main__":
    main(*sys.argv[1:])
