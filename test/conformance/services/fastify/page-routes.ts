import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from './agents.ts';
import { HttpProblem, LIMIT } from './config.ts';
import { claimPage, connectionsPage, document, leaveForm, reviewPage, signInPage } from './html.ts';
import { handleProblems, noStore, type ProblemWriter, readForms } from './plumbing.ts';
import type { Service } from './service.ts';
import { emailOf, type Session } from './users.ts';

const COOKIE = 'fastify_session';
const HOME = '/connections';

type Form = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

interface SignedIn {
  readonly id: string;
  readonly session: Session;
  readonly email: string;
}

/** What a user sees, and sends. */
export async function pageRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { agents, config, users } = service;
  readForms(app);
  handleProblems(app, service.config, pageProblem);

  app.get<{ Querystring: Query }>('/login', async (request, reply) => {
    const target = ownPath(request.query['return_to']);
    const current = users.session(cookieOf(request));
    if (current?.email !== undefined) return reply.redirect(target, 303);
    const id = current === undefined ? users.begin() : undefined;
    if (id !== undefined) setCookie(reply, id);
    const { csrf = '' } = current ?? users.session(id) ?? {};
    return html(reply, 200, signInPage(csrf, target));
  });

  app.post<{ Body: Form }>('/login', async (request, reply) => {
    const { form, session } = ownForm(request);
    const email = emailOf(form['email']?.trim());
    const target = ownPath(form['return_to']);
    if (email === undefined) {
      return html(reply, 400, signInPage(session.csrf, target, 'Type an email address.'));
    }
    const isFirst = users.isProvisioned(email);
    setCookie(reply, users.signIn(email, cookieOf(request)));
    const next = isFirst ? `/review?return_to=${encodeURIComponent(target)}` : target;
    return noStore(reply).redirect(next, 303);
  });

  app.post<{ Body: Form }>('/logout', async (request, reply) => {
    const { form } = ownForm(request);
    users.signOut(cookieOf(request));
    setCookie(reply, '', '; Max-Age=0');
    const target = encodeURIComponent(ownPath(form['return_to']));
    return noStore(reply).redirect(`/login?return_to=${target}`, 303);
  });

  app.get<{ Querystring: Query }>('/claim', async (request, reply) => {
    const link = String(request.query['claim_attempt_token'] ?? '');
    const user = signedIn(request);
    if (user === undefined) return toSignIn(request, reply, link);
    const agent = agentFor(link, user);
    const over = outcomeOf(agent);
    if (over !== undefined) return tell(request, reply, agent, over);
    const { scopes, kind } = agent;
    const { csrf } = user.session;
    if (wantsJson(request)) {
      return noStore(reply).send({ registration_type: kind, scopes, csrf_token: csrf });
    }
    return html(
      reply,
      200,
      claimPage({ agent, link, csrf, email: user.email, first: isFirst(agent) }),
    );
  });

  app.post<{ Body: Form | undefined }>('/agent/identity/claim/complete', async (request, reply) => {
    const user = signedIn(request);
    if (user === undefined) return toSignIn(request, reply, '');
    const given = wantsJson(request) ? ownJson(request, user) : ownForm(request).form;
    const link = given['claim_attempt_token'] ?? '';
    if (link === '')
      throw new HttpProblem(400, 'invalid_request', 'claim_attempt_token is missing.');
    const agent = agentFor(link, user);
    try {
      return tell(request, reply, agent, decide(agent, given));
    } catch (problem) {
      const left =
        problem instanceof HttpProblem ? Number(problem.extra['attempts_remaining'] ?? 0) : 0;
      if (wantsJson(request) || left <= 0) throw problem;
      const { csrf } = user.session;
      const note = `That is not the code that your agent shows. ${left} tries are left.`;
      return html(
        reply,
        400,
        claimPage({ agent, link, csrf, email: user.email, first: isFirst(agent), note }),
      );
    }
  });

  app.get(HOME, async (request, reply) => {
    const user = signedIn(request);
    if (user === undefined) return noStore(reply).redirect('/login?return_to=%2Fconnections', 303);
    return html(reply, 200, connectionsPage(user.email, user.session.csrf, claimedBy(user.email)));
  });

  app.get<{ Querystring: Query }>('/review', async (request, reply) => {
    const user = signedIn(request);
    if (user === undefined) return noStore(reply).redirect('/login', 303);
    const target = ownPath(request.query['return_to']);
    return html(reply, 200, reviewPage(user.session.csrf, target, claimedBy(user.email)));
  });

  app.post<{ Body: Form }>('/review', async (request, reply) => {
    const { form, session } = ownForm(request);
    if (form['decision'] === 'end') {
      for (const agent of claimedBy(session.email ?? '')) {
        if (agent.kind === 'identity_assertion') agent.revoke();
      }
    }
    return noStore(reply).redirect(ownPath(form['return_to']), 303);
  });

  app.post<{ Body: Form }>('/connections/end', async (request, reply) => {
    const { form, session } = ownForm(request);
    const agent = claimedBy(session.email ?? '').find(({ id }) => id === form['registration_id']);
    if (agent === undefined) throw new HttpProblem(404, 'not_found', 'No such agent acts for you.');
    agent.revoke();
    return noStore(reply).redirect(HOME, 303);
  });

  function claimedBy(email: string): readonly Agent[] {
    return agents.ofUser(email).filter(({ claimedAt }) => claimedAt !== undefined);
  }

  function isFirst({ email }: Agent): boolean {
    return email !== undefined && claimedBy(email).length === 0;
  }

  function signedIn(request: FastifyRequest): SignedIn | undefined {
    const id = cookieOf(request);
    const session = users.session(id);
    if (id === undefined || session?.email === undefined) return undefined;
    return { id, session, email: session.email };
  }

  /** @throws HttpProblem 403 when the form is not of a page that we showed in this session. */
  function ownForm(request: FastifyRequest): { readonly form: Form; readonly session: Session } {
    const { origin, 'sec-fetch-site': site, 'x-csrf-token': header } = request.headers;
    const form = (request.body ?? {}) as Form;
    const session = users.session(cookieOf(request));
    const isOwn = origin === config.issuer || (origin === 'null' && site === 'same-origin');
    const proof = form['csrf_token'] ?? header;
    if (!isOwn || session === undefined || proof !== session.csrf) throw forged();
    return { form, session };
  }

  function ownJson(request: FastifyRequest, { session }: SignedIn): Form {
    const { origin, 'x-csrf-token': header } = request.headers;
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    if (origin !== undefined && origin !== config.issuer) throw forged();
    if ((header ?? body['csrf_token']) !== session.csrf) throw forged();
    const strings = Object.entries(body).filter(([, value]) => typeof value === 'string');
    return Object.fromEntries(strings) as Form;
  }

  /** @throws HttpProblem when this user cannot decide by this link, or nobody can any more. */
  function agentFor(link: string, { email, session }: SignedIn): Agent {
    const agent = agents.byLink(link);
    if (agent === undefined) {
      throw new HttpProblem(404, 'invalid_claim_attempt', 'This link is not known, or no longer.');
    }
    if (agent.email !== email) {
      throw new WrongAccount(
        masked(agent.email),
        leaveForm(session.csrf, `/claim?claim_attempt_token=${link}`),
      );
    }
    const state = agent.stateAt(config.now() / 1000);
    if (state === 'revoked' || state === 'expired') {
      throw new HttpProblem(410, 'claim_expired', 'This registration is over.');
    }
    if (state === 'lapsed' && !agent.attempt?.denied) {
      const isBurnt = (agent.attempt?.wrongCodes ?? 0) >= LIMIT.codesPerAttempt;
      throw isBurnt
        ? new HttpProblem(
            429,
            'too_many_attempts',
            'Too many wrong codes. Ask your agent for a new one.',
          )
        : new HttpProblem(
            410,
            'claim_attempt_expired',
            'The code has expired. Ask your agent for a new one.',
          );
    }
    return agent;
  }

  function decide(agent: Agent, given: Form): 'claimed' | 'denied' {
    const isDenial = given['decision'] === 'deny';
    const over = outcomeOf(agent);
    if (over === 'claimed' && isDenial) {
      throw new HttpProblem(409, 'already_claimed', 'It is claimed. End it under /connections.');
    }
    if (over === 'denied' && !isDenial) {
      throw new HttpProblem(
        410,
        'claim_attempt_expired',
        'It was denied. Ask your agent for a new code.',
      );
    }
    if (over !== undefined) return over;
    if (!isDenial) {
      agents.enterCode(agent, given['user_code'] ?? '');
      return 'claimed';
    }
    if (agent.attempt !== undefined) agent.attempt.denied = true;
    return 'denied';
  }

  function setCookie(reply: FastifyReply, id: string, more = ''): void {
    const secure = config.issuer.startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`);
  }

  /** A path of ours, whatever is asked for. */
  function ownPath(target: unknown): string {
    if (typeof target !== 'string' || !/^\/[\w-]/.test(target)) return HOME;
    const url = URL.canParse(target, config.issuer) ? new URL(target, config.issuer) : undefined;
    const isOwn = url?.origin === config.issuer && !url.pathname.startsWith('//');
    return isOwn ? `${url.pathname}${url.search}` : HOME;
  }
}

/** The account that is asked for is another one; the page offers to change. */
class WrongAccount extends HttpProblem {
  readonly way: string;

  constructor(wanted: string, way: string) {
    super(403, 'wrong_account', `This is for ${wanted}.`);
    this.way = way;
  }
}

const pageProblem: ProblemWriter = (problem, reply) => {
  const { code, message, extra, statusCode } = problem;
  if (wantsJson(reply.request)) {
    return reply.send({ error: code, error_description: message, message, ...extra });
  }
  const way = problem instanceof WrongAccount ? problem.way : '';
  return html(reply, statusCode, document('That did not work', message, way));
};

function outcomeOf({ claimedAt, attempt }: Agent): 'claimed' | 'denied' | undefined {
  if (claimedAt !== undefined) return 'claimed';
  return attempt?.denied ? 'denied' : undefined;
}

function tell(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: Agent,
  status: 'claimed' | 'denied',
) {
  if (wantsJson(request)) return noStore(reply).send({ status, registration_id: id });
  const message = status === 'claimed' ? 'Your agent has access now.' : 'The agent has no access.';
  return html(reply, 200, document(status === 'claimed' ? 'Approved' : 'Denied', message));
}

function toSignIn(request: FastifyRequest, reply: FastifyReply, link: string) {
  if (wantsJson(request)) throw new HttpProblem(401, 'login_required', 'Sign in first.');
  const target = link === '' ? HOME : `/claim?claim_attempt_token=${encodeURIComponent(link)}`;
  return noStore(reply).redirect(`/login?return_to=${encodeURIComponent(target)}`, 303);
}

function wantsJson({ method, headers }: FastifyRequest): boolean {
  const said = method === 'POST' ? headers['content-type'] : headers.accept;
  return said?.startsWith('application/json') ?? false;
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split(/; */);
  return cookies.find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

function masked(email = ''): string {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 1)}…@${domain}`;
}

function html(reply: FastifyReply, status: number, body: string): FastifyReply {
  return noStore(reply)
    .status(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy':
        "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    .send(body);
}

function forged(): HttpProblem {
  return new HttpProblem(403, 'csrf_failed', 'This was not sent from a page of ours.');
}
