"""What users see. Every value that is not ours goes through `escape`."""

from html import escape
from urllib.parse import quote

HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def page(title, body):
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def form(action, csrf, inner, **hidden):
    fields = {"csrf_token": csrf} | hidden
    inputs = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return f'<form method="post" action="{action}">{inputs}{inner}</form>'


def button(text, **attributes):
    extra = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f'<button type="submit"{extra}>{escape(text)}</button>'


def claim_path(token):
    return "/claim?claim_attempt_token=" + quote(token, safe="")


def sign_in(csrf, return_to, problem=""):
    inner = '<label>Email <input type="email" name="email" required></label>' + button("Sign in")
    note = "<p>For tests: any email signs in, no password is asked for.</p>"
    return page(
        "Sign in", problem + note + form("/login", csrf, inner, return_to=return_to)
    )


def sign_out(csrf, return_to, text="Use another account"):
    return form("/logout", csrf, button(text), return_to=return_to)


def claim(session, registration, token, problem=""):
    inner = (
        '<label>Code <input name="user_code" inputmode="numeric" autocomplete="off"></label>'
        + button("Approve", name="decision", value="approve")
        + button("Deny", name="decision", value="deny")
    )
    who = "An agent that gave no name" if registration.kind == "anonymous" else "An agent that knows your email"
    return page(
        "Give an agent access?",
        problem
        + f"<p>You are signed in as <b>{escape(session.email)}</b>.</p>"
        + f"<p>{who} wants to act for you here: api.read, api.write. "
        + "Approve only if you asked for this, and type the code that your agent shows.</p>"
        + form("/agent/identity/claim/complete", session.csrf, inner, claim_attempt_token=token)
        + sign_out(session.csrf, claim_path(token)),
    )


def outcome(status):
    text = {
        "claimed": "The agent can act for you now. /connections ends that.",
        "denied": "The agent gets no access.",
    }[status]
    return page("Approved" if status == "claimed" else "Denied", f"<p>{text}</p>")


def problem(message, extra=""):
    return page("This does not work", f"<p>{escape(message)}</p>{extra}")


def note(message):
    return f'<p role="alert">{escape(message)}</p>'


def connections(session, registrations):
    rows = "".join(
        f"<li>{escape(each.kind)}, {escape(', '.join(each.scopes))}"
        + form("/connections/end", session.csrf, button("End"), registration_id=each.id)
        + "</li>"
        for each in registrations
    )
    return page(
        "Agents that act for you",
        f"<p>Signed in as {escape(session.email)}.</p><ul>{rows}</ul>"
        + sign_out(session.csrf, "/connections", "Sign out"),
    )
