"""Registrations, claims, tokens and sessions, in memory. One lock guards them all."""

import hashlib
import hmac
import re
import secrets
import threading
import uuid
from dataclasses import dataclass, field

READ, WRITE = "api.read", "api.write"
BOTH = (READ, WRITE)

MINUTE, HOUR, DAY = 60, 3600, 86400
CODE_LIVES = 10 * MINUTE
WINDOW = DAY
TOKEN_LIVES = HOUR
CLAIMED_ASSERTION_LIVES = 30 * DAY
REDELIVERY = 10 * MINUTE
SESSION_LIVES = HOUR
TRIES = 5
TRIES_IN_ALL = 20
INTERVAL = 5

EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", re.ASCII)


class Refused(Exception):
    """What an endpoint answers instead: a status, a code and a sentence."""

    def __init__(self, status, code, message, headers=(), **members):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers, self.members = dict(headers), members


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def forget(kept, registration):
    """Drops what is kept for a registration, which comes first in each value."""
    for key in [key for key, value in kept.items() if value[0] is registration]:
        del kept[key]


def email_in(value):
    """The address in one spelling; None where it is none."""
    if not isinstance(value, str) or len(value) > 254 or not EMAIL.fullmatch(value):
        return None
    return value.lower()


@dataclass
class Attempt:
    key: str
    code: str
    ends: float
    wrong: int = 0
    denied: bool = False
    interval: int = INTERVAL
    polled: float | None = None


@dataclass
class Registration:
    id: str
    kind: str
    ends: float
    email: str | None = None
    attempt: Attempt | None = None
    wrong: int = 0
    claimed: float | None = None
    revoked: bool = False
    delivered: float | None = None
    # What a claim delivered, for whoever lost the answer.
    assertion: str | None = None

    @property
    def scopes(self):
        return (READ,) if self.claimed is None else BOTH


@dataclass
class Session:
    ends: float
    email: str | None = None
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Store:
    def __init__(self, clock, bug):
        self.clock, self.bug = clock, bug
        self.instant = clock()
        self.lock = threading.RLock()
        self.pepper = secrets.token_bytes(32)
        self.registrations, self.claims, self.attempts = {}, {}, {}
        self.assertions, self.tokens, self.sessions = {}, {}, {}

    def tick(self):
        """Begins a request: it is answered as of one instant."""
        self.instant = self.clock()

    def now(self):
        return self.instant

    # Registration

    def register(self, kind, email=None):
        """Returns the registration and its claim token."""
        registration = Registration(
            "reg_" + secrets.token_urlsafe(16), kind, self.now() + WINDOW, email
        )
        claim_token = "clm_" + secrets.token_urlsafe(24)
        self.registrations[registration.id] = registration
        self.claims[digest(claim_token)] = registration
        return registration, claim_token

    def new_assertion(self, registration, ends):
        """An opaque one."""
        value = "ias_" + secrets.token_urlsafe(32)
        self.assertions[digest(value)] = (registration, ends)
        return value

    def is_over(self, registration):
        return registration.revoked or (
            registration.claimed is None and registration.ends <= self.now()
        )

    # The claim

    def start_attempt(self, registration):
        """Ends the attempt before. Returns its token and code."""
        if registration.attempt is not None:
            self.attempts.pop(registration.attempt.key, None)
        token = "cat_" + secrets.token_urlsafe(24)
        code = f"{secrets.randbelow(1_000_000):06}"
        ends = min(self.now() + CODE_LIVES, registration.ends)
        registration.attempt = Attempt(digest(token), self.mac(token, code), ends)
        self.attempts[digest(token)] = registration
        return token, code

    def mac(self, token, code):
        return hmac.new(self.pepper, f"{digest(token)} {code}".encode(), "sha256").hexdigest()

    def open_claim(self, claim_token, email):
        registration = self.claims.get(digest(claim_token))
        if registration is None:
            challenge = {"WWW-Authenticate": 'AgentAuth error="invalid_claim_token"'}
            raise Refused(401, "invalid_claim_token", "This claim token is unknown.", challenge)
        if self.is_over(registration):
            raise Refused(410, "claim_expired", "The time to claim is over.")
        if registration.claimed is not None:
            raise Refused(409, "claimed_or_in_flight", "It has been claimed.")
        if registration.kind == "service_auth" and email not in (None, registration.email):
            raise Refused(403, "email_mismatch", "It was begun for another email.")
        if email is None and registration.email is None:
            raise Refused(400, "invalid_request", "email is missing.")
        if registration.wrong >= TRIES_IN_ALL:
            retry = {"Retry-After": "3600"}
            raise Refused(429, "too_many_attempts", "Too many wrong codes.", retry)
        registration.email = email or registration.email
        return (registration, *self.start_attempt(registration))

    def attempt_for(self, token, email):
        """The registration of a link, for the one who may decide. Raises Refused."""
        registration = self.attempts.get(digest(token))
        if registration is None:
            raise Refused(404, "invalid_claim_attempt", "This link is unknown, or was replaced.")
        if registration.email != email:
            raise Refused(403, "wrong_account", "This link is for another account.")
        if registration.revoked:
            raise Refused(410, "claim_expired", "The registration was ended.")
        if registration.claimed is not None:
            return registration
        if registration.ends <= self.now():
            raise Refused(410, "claim_expired", "The time to claim is over.")
        if registration.attempt.wrong >= TRIES:
            raise Refused(429, "too_many_attempts", "Too many wrong codes. Ask for a new one.")
        if registration.attempt.ends <= self.now():
            raise Refused(410, "claim_attempt_expired", "The code has expired. Ask for a new one.")
        return registration

    def decide(self, token, email, code, is_denial):
        """Returns `claimed` or `denied`, and the registration. Raises Refused."""
        registration = self.attempt_for(token, email)
        attempt = registration.attempt
        if registration.claimed is not None:
            if is_denial:
                raise Refused(409, "already_claimed", "It has been claimed.")
            return "claimed", registration
        if attempt.denied and not is_denial:
            raise Refused(410, "claim_attempt_expired", "It was denied. Ask for a new code.")
        if is_denial:
            attempt.denied = True
            return "denied", registration
        self.check_code(registration, token, code)
        registration.claimed = self.now()
        self.end_tokens(registration)
        forget(self.assertions, registration)
        return "claimed", registration

    def check_code(self, registration, token, code):
        typed = re.sub(r"[\s-]", "", code)
        attempt = registration.attempt
        if re.fullmatch(r"[0-9]{6}", typed):
            if hmac.compare_digest(self.mac(token, typed), attempt.code):
                return
            attempt.wrong += 1
            registration.wrong += 1
        left = TRIES - attempt.wrong
        message = f"This code is not right: {left} tries are left."
        raise Refused(400, "invalid_user_code", message, attempts_remaining=left)

    # Tokens

    def exchange(self, assertion):
        registration, ends = self.assertions.get(digest(assertion), (None, 0))
        if self.bug == "any-secret" and digest(assertion) in self.claims:
            registration = self.claims[digest(assertion)]
            ends = registration.ends
        if registration is None or self.is_over(registration) or ends <= self.now():
            raise Refused(400, "invalid_grant", "The assertion is not valid, or no longer.")
        return registration

    def poll(self, claim_token):
        """The registration whose claim is complete. Raises Refused."""
        registration = self.claims.get(digest(claim_token))
        if registration is None:
            raise Refused(400, "expired_token", "There is no such claim.")
        if registration.revoked:
            raise Refused(400, "invalid_grant", "The registration was ended.")
        if registration.claimed is not None:
            return self.collect(registration)
        attempt = registration.attempt
        if registration.ends <= self.now():
            raise Refused(400, "expired_token", "The time to claim is over.")
        if attempt is not None:
            self.check_poll(attempt)
        raise Refused(400, "authorization_pending", "The user has not decided yet.")

    def check_poll(self, attempt):
        if attempt.denied:
            raise Refused(400, "access_denied", "The user said no.")
        if attempt.wrong >= TRIES or attempt.ends <= self.now():
            raise Refused(400, "expired_token", "The code has expired. Start a new claim.")
        before, attempt.polled = attempt.polled, self.now()
        if before is not None and attempt.polled - before < attempt.interval - 1:
            attempt.interval = min(attempt.interval + 5, 60)
            raise Refused(400, "slow_down", "Poll less often.", interval=attempt.interval)

    def collect(self, registration):
        now = self.now()
        is_late = now >= max(registration.ends, registration.claimed + HOUR)
        if is_late if registration.delivered is None else now >= registration.delivered + REDELIVERY:
            raise Refused(400, "invalid_grant", "The tokens have been fetched.")
        if registration.delivered is None:
            registration.delivered = now
        self.end_tokens(registration)
        return registration

    def new_token(self, registration, scopes):
        """Returns an access token and how many seconds it is good for."""
        ends = self.now() + TOKEN_LIVES
        if registration.claimed is None:
            ends = min(ends, registration.ends)
        value = "at_" + (str(uuid.uuid1()) if self.bug == "time-uuid" else secrets.token_urlsafe(32))
        self.tokens[self.column(value)] = (registration, scopes, ends)
        return value, int(ends - self.now())

    def token(self, value):
        """Registration and scopes of an access token that is in force, or None."""
        registration, scopes, ends = self.tokens.get(self.column(value), (None, (), 0))
        if registration is None or ends <= self.now() or self.is_over(registration):
            return None
        return registration, scopes

    def revoke_token(self, value):
        self.tokens.pop(self.column(value), None)

    def column(self, value):
        """What is stored of an access token."""
        return digest(value[:32] if self.bug == "truncated-column" else value)

    def end_tokens(self, registration):
        forget(self.tokens, registration)

    # What a user has

    def connections(self, email):
        return [
            each
            for each in self.registrations.values()
            if each.email == email and each.claimed is not None and not each.revoked
        ]

    def end(self, registration):
        registration.revoked = True
        self.end_tokens(registration)

    # Sessions

    def begin_session(self, email=None):
        """Returns the value of its cookie."""
        value = secrets.token_urlsafe(24)
        self.sessions[digest(value)] = Session(self.now() + SESSION_LIVES, email)
        return value

    def session(self, value):
        session = self.sessions.get(digest(value))
        return session if session is not None and session.ends > self.now() else None

    def end_session(self, value):
        self.sessions.pop(digest(value), None)
