import { randomBytes } from 'node:crypto';

/** Whether an ID-JAG is good here. */
export type Verify = (idJag: string) => Promise<boolean> | boolean;

export interface SpecOnlyOptions {
  /** Its URL, without a final slash. */
  readonly base: string;
  readonly now?: () => number;
  /** Default: every ID-JAG is. */
  readonly verify?: Verify;
  /** Milliseconds that a `user_code` is good for. Default ten minutes. */
  readonly codeWindow?: number;
}

interface Attempt {
  readonly token: string;
  readonly userCode: string;
  readonly endsAt: number;
}

interface Identity {
  readonly claimToken: string | null;
  assertion: string | null;
  attempt: Attempt | null;
  claimed: boolean;
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';
const TYPES = ['anonymous', 'identity_assertion', 'service_auth'];

/**
 * A service that sends the members that the specification shows, and no other: no ids, no scopes, no
 * lifetimes, no interval, no `token_type`, no words beside an error. Everything is in memory.
 *
 * `fetch` answers a request; the claim page needs no sign-in: it takes the code, or a test calls `claim`.
 */
export class SpecOnlyService {
  readonly base: string;
  /** `POST /oauth2/token`, by what they answered. */
  readonly answered: string[] = [];
  readonly #now: () => number;
  readonly #verify: Verify;
  readonly #codeWindow: number;
  readonly #identities: Identity[] = [];
  readonly #tokens = new Map<string, Identity>();

  constructor({ base, now = Date.now, verify = () => true, codeWindow }: SpecOnlyOptions) {
    this.base = base;
    this.#now = now;
    this.#verify = verify;
    this.#codeWindow = codeWindow ?? 10 * 60_000;
  }

  get registrations(): number {
    return this.#identities.length;
  }

  /** What the user does on the claim page. */
  async claim(verificationUri: string, userCode: string): Promise<Response> {
    const token = new URL(verificationUri).searchParams.get('claim_attempt_token') ?? '';
    const form = new URLSearchParams({ claim_attempt_token: token, user_code: userCode });
    return this.fetch(
      new Request(`${this.base}/agent/identity/claim/complete`, { method: 'POST', body: form }),
    );
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/oauth-protected-resource':
      case 'GET /.well-known/oauth-authorization-server':
        return Response.json(this.#metadata());
      case 'GET /auth.md':
        return new Response('# Agents\n\nRegister, claim, exchange, call.\n', {
          headers: { 'content-type': 'text/markdown' },
        });
      case 'GET /api/resource':
        return this.#resource(request);
      case 'POST /agent/identity':
        return this.#register(await fields(request));
      case 'POST /agent/identity/claim':
        return this.#openClaim(await fields(request));
      case 'GET /claim':
        return page(claimForm(searchParams.get('claim_attempt_token') ?? ''));
      case 'POST /agent/identity/claim/complete':
        return this.#complete(await fields(request));
      case 'POST /oauth2/token': {
        const answer = await this.#token(await fields(request));
        this.answered.push(answer.ok ? 'token' : await errorOf(answer.clone()));
        return answer;
      }
      case 'POST /oauth2/revoke':
        this.#tokens.delete((await fields(request))['token'] ?? '');
        return new Response(null, { status: 200 });
      default:
        return new Response('Not found\n', { status: 404 });
    }
  };

  #metadata(): object {
    const { base } = this;
    return {
      resource: base,
      authorization_servers: [base],
      scopes_supported: ['api.read', 'api.write'],
      bearer_methods_supported: ['header'],
      issuer: base,
      token_endpoint: `${base}/oauth2/token`,
      revocation_endpoint: `${base}/oauth2/revoke`,
      grant_types_supported: [JWT_BEARER, CLAIM],
      agent_auth: {
        skill: `${base}/auth.md`,
        identity_endpoint: `${base}/agent/identity`,
        claim_endpoint: `${base}/agent/identity/claim`,
        events_endpoint: `${base}/agent/event/notify`,
        identity_types_supported: TYPES,
        identity_assertion: {
          assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        },
        events_supported: [
          'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked',
        ],
      },
    };
  }

  #resource(request: Request): Response {
    const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    const identity = token === undefined ? undefined : this.#tokens.get(token);
    if (identity !== undefined) return Response.json({ claimed: identity.claimed });
    const metadata = `${this.base}/.well-known/oauth-protected-resource`;
    return new Response(null, {
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata=${metadata}` },
    });
  }

  async #register(given: Fields): Promise<Response> {
    switch (given['type']) {
      case 'anonymous': {
        const identity = this.#add({ assertion: secret('ia'), claimToken: secret('clm') });
        const { assertion, claimToken } = identity;
        return Response.json({ identity_assertion: assertion, claim_token: claimToken });
      }
      case 'identity_assertion': {
        if (!(await this.#verify(given['assertion'] ?? ''))) return refused('invalid_request');
        const { assertion } = this.#add({ assertion: secret('ia'), claimed: true });
        return Response.json({ identity_assertion: assertion });
      }
      case 'service_auth': {
        if (!given['login_hint']?.includes('@')) return refused('invalid_request');
        const identity = this.#add({ claimToken: secret('clm') });
        const claim = this.#openAttempt(identity);
        return Response.json({ claim_token: identity.claimToken, claim });
      }
      default:
        return refused('invalid_request');
    }
  }

  #openClaim({ claim_token: token, email }: Fields): Response {
    const identity = this.#identities.find(({ claimToken }) => claimToken === token);
    if (identity === undefined || identity.claimed || !email) return refused('invalid_request');
    return Response.json({ claim_attempt: this.#openAttempt(identity) });
  }

  #complete({ claim_attempt_token: token, user_code: code = '' }: Fields): Response {
    const identity = this.#identities.find(({ attempt }) => attempt?.token === token);
    const { attempt = null } = identity ?? {};
    if (identity === undefined || attempt === null || this.#now() >= attempt.endsAt) {
      return page('<p>This code is over.</p>', 410);
    }
    if (code.replace(/[\s-]/g, '') !== attempt.userCode) return page(claimForm(attempt.token), 400);
    identity.claimed = true;
    return page('<p>Done. Go back to your agent.</p>');
  }

  async #token({ grant_type: grant, assertion, claim_token: claim }: Fields): Promise<Response> {
    if (grant === JWT_BEARER) {
      const identity = this.#identities.find((one) => assertion && one.assertion === assertion);
      if (identity === undefined) return refused('invalid_grant');
      return Response.json({ access_token: this.#newToken(identity) });
    }
    if (grant !== CLAIM) return refused('unsupported_grant_type');
    const identity = this.#identities.find((one) => claim && one.claimToken === claim);
    if (identity === undefined) return refused('invalid_grant');
    if (!identity.claimed) {
      const { attempt } = identity;
      const isOver = attempt !== null && this.#now() >= attempt.endsAt;
      return refused(isOver ? 'expired_token' : 'authorization_pending');
    }
    // The second version replaces the first.
    identity.assertion = secret('ia');
    return Response.json({
      access_token: this.#newToken(identity),
      identity_assertion: identity.assertion,
    });
  }

  #add(over: Partial<Identity>): Identity {
    const identity = { claimToken: null, assertion: null, attempt: null, claimed: false, ...over };
    this.#identities.push(identity);
    return identity;
  }

  #openAttempt(identity: Identity): object {
    const userCode = String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, '0');
    const attempt = { token: secret('cat'), userCode, endsAt: this.#now() + this.#codeWindow };
    identity.attempt = attempt;
    return {
      user_code: userCode,
      verification_uri: `${this.base}/claim?claim_attempt_token=${attempt.token}`,
    };
  }

  #newToken(identity: Identity): string {
    const token = secret('at');
    this.#tokens.set(token, identity);
    return token;
  }
}

type Fields = Readonly<Record<string, string | undefined>>;

/** The members of a JSON object or of a form, as far as they are text. */
async function fields(request: Request): Promise<Fields> {
  const text = await request.text();
  if (!request.headers.get('content-type')?.startsWith('application/json')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  const members: Record<string, unknown> = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function refused(error: string): Response {
  return Response.json({ error }, { status: 400 });
}

async function errorOf(answer: Response): Promise<string> {
  return /"error":"(\w+)"/.exec(await answer.text())?.[1] ?? 'nothing';
}

function secret(kind: string): string {
  return `${kind}_${randomBytes(20).toString('base64url')}`;
}

function claimForm(token: string): string {
  const safe = token.replace(/[^\w-]/g, '');
  return (
    '<form method="post" action="/agent/identity/claim/complete">' +
    `<input type="hidden" name="claim_attempt_token" value="${safe}">` +
    '<label>Code <input name="user_code" autofocus></label> <button>Approve</button></form>'
  );
}

function page(body: string, status = 200): Response {
  return new Response(`<!doctype html><title>Claim</title>${body}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
