import { type Call, formBody, type Handler, NO_STORE, Refusal, type Reply } from './http.ts';
import {
  HOUR,
  isSame,
  type Registration,
  revoke,
  type Session,
  type State,
  secret,
} from './state.ts';

const COOKIE = 'raw_session';
const PAGE = {
  ...NO_STORE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

export function html(text: string): string {
  return text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

export function page(
  status: number,
  title: string,
  body: string,
  headers: Reply['headers'] = {},
): Reply {
  return {
    status,
    headers: { ...PAGE, ...headers },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title></head>
<body><main><h1>${html(title)}</h1>
${body}
</main></body></html>
`,
  };
}

export function redirect(location: string, cookies: readonly string[] = []): Reply {
  const headers = cookies.length === 0 ? {} : { 'set-cookie': cookies };
  return { status: 303, headers: { ...NO_STORE, location, ...headers } };
}

export interface Visit {
  readonly id: string;
  readonly session: Session;
  /** The cookie to set, where there was none. */
  readonly cookies: readonly string[];
}

function cookieOf({ state }: Call, id: string): string {
  const secure = state.origin.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export function begin(call: Call, email: string | undefined): Visit {
  const id = secret();
  const ends = call.state.now() + HOUR;
  const session: Session = { email, csrf: secret(), ends, typed: undefined, wrong: 0 };
  call.state.sessions.set(id, session);
  return { id, session, cookies: [cookieOf(call, id)] };
}

export function visitOf(call: Call): Visit | undefined {
  const pairs = (call.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const id = pairs.find(([name]) => name === COOKIE)?.[1] ?? '';
  const session = call.state.sessions.get(id);
  if (session === undefined || session.ends <= call.state.now()) return undefined;
  return { id, session, cookies: [] };
}

/** A path of ours; anything else is not gone to. */
export function ownPath({ origin, has }: State, target: string | null | undefined): string {
  // What a header cannot hold Node refuses to send, with the bug or without it.
  if (has('next-by-first-slash') && /^\/[\x21-\x7e]*$/.test(target ?? '')) return target ?? '';
  if (target == null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(target)) return '/connections';
  const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
  // A path such as `/.//host` comes out as one that a browser takes for a host.
  const isOwn = url?.origin === origin && !url.pathname.startsWith('//');
  return isOwn ? url.pathname + url.search : '/connections';
}

/** The form of a page of ours, in the session that was shown it. @throws Refusal 403. */
export function ownForm(call: Call): {
  readonly visit: Visit;
  readonly form: ReadonlyMap<string, string>;
} {
  const { origin: from, 'sec-fetch-site': site } = call.headers;
  const isOwn = from === call.state.origin || (from === 'null' && site === 'same-origin');
  const form = formBody(call);
  const visit = visitOf(call);
  const proof = form.get('csrf_token');
  const isUnproved = proof === undefined && call.state.has('csrf-only-if-sent');
  if (!isOwn || visit === undefined || !(isUnproved || isSame(proof ?? '', visit.session.csrf))) {
    throw new Refusal(403, 'csrf_failed', 'This form is not of a page of ours.');
  }
  return { visit, form };
}

export const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${html(value)}">`;

export const logOut: Handler = (call) => {
  const { visit, form } = ownForm(call);
  call.state.sessions.delete(visit.id);
  const target = ownPath(call.state, form.get('return_to'));
  return redirect(`/login?return_to=${encodeURIComponent(target)}`, [
    `${cookieOf(call, '')}; Max-Age=0`,
  ]);
};

/** What may act for the signed-in user. */
export const showConnections: Handler = (call) => {
  const visit = visitOf(call);
  if (visit?.session.email === undefined) {
    return redirect(`/login?return_to=${encodeURIComponent('/connections')}`);
  }
  const { email, csrf } = visit.session;
  const rows = [...call.state.registrations.values()]
    .filter((each) => each.email === email && each.claimedAt !== undefined && !each.revoked)
    .map(
      (each) => `<li>${html(nameOf(each))}: ${html(each.scopes.join(', '))}
<form method="post" action="/connections/end">${hidden('csrf_token', csrf)}${hidden('registration_id', each.id)}
<button type="submit">End</button></form></li>`,
    );
  return page(
    200,
    'What acts for you',
    `<p>Signed in as ${html(email)}.</p><ul>${rows.join('\n')}</ul>
<form method="post" action="/logout">${hidden('csrf_token', csrf)}<button type="submit">Sign out</button></form>`,
  );
};

export const endConnection: Handler = (call) => {
  const { visit, form } = ownForm(call);
  const registration = call.state.registrations.get(form.get('registration_id') ?? '');
  if (
    registration?.email === undefined ||
    registration.email !== visit.session.email ||
    registration.claimedAt === undefined
  ) {
    return page(404, 'Not found', '<p>Nothing of that name acts for you.</p>');
  }
  revoke(call.state, registration);
  return redirect('/connections');
};

export function nameOf({ kind, provider }: Registration): string {
  if (kind === 'identity_assertion') return `an agent of ${provider}`;
  return 'an agent that gave no name that can be trusted';
}
