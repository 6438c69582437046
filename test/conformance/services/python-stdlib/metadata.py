"""The documents by which an agent finds its way."""

from store import READ, WRITE

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLAIM_GRANT = "urn:vendor:agent-auth:grant-type:claim"


def resource_metadata(base, path):
    """RFC 9728: `path` is that of the resource."""
    return {
        "resource": base + path,
        "resource_name": "A service in Python",
        "authorization_servers": [base],
        "scopes_supported": [READ, WRITE],
        "bearer_methods_supported": ["header"],
    }


def server_metadata(base):
    return resource_metadata(base, "") | {
        "issuer": base,
        "token_endpoint": base + "/oauth2/token",
        "revocation_endpoint": base + "/oauth2/revoke",
        "response_types_supported": [],
        "grant_types_supported": [JWT_BEARER, CLAIM_GRANT],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "agent_auth": {
            "skill": base + "/auth.md",
            "identity_endpoint": base + "/agent/identity",
            "claim_endpoint": base + "/agent/identity/claim",
            "identity_types_supported": ["anonymous", "service_auth"],
        },
    }


def skill(base):
    return f"""# Use this service as an agent

1. **Discover**: {base}/.well-known/oauth-protected-resource, then {base}/.well-known/oauth-authorization-server.
2. **Register**: `POST {base}/agent/identity` with JSON, `{{"type": "anonymous"}}` or
   `{{"type": "service_auth", "login_hint": EMAIL}}`.
3. **Claim**: `POST {base}/agent/identity/claim` with JSON, `claim_token` and `email`. Show `verification_uri` and
   `user_code` to the user.
4. **Exchange**: `POST {base}/oauth2/token`, form-encoded. `{JWT_BEARER}` takes `assertion`, which is opaque here;
   `{CLAIM_GRANT}` takes `claim_token`: poll it every five seconds.
5. **Use**: `Authorization: Bearer ACCESS_TOKEN` at {base}/api/resource. Reading needs {READ}, writing {WRITE}.
6. **Handle revoke**: on 401, exchange once; on `invalid_grant`, poll once; then register again.
   `POST {base}/oauth2/revoke` with `token` gives a token back.

Errors: `authorization_pending`, `slow_down`, `expired_token`, `access_denied`, `invalid_grant`.
"""
