import { randomBytes } from 'node:crypto';

export interface ReadBackOptions {
  /** Its URL, without a final slash. */
  readonly base: string;
  /** `nested`: the page shows the code, and gives it once confirmed. `first`: the code is mailed. */
  readonly dialect: 'nested' | 'first';
  readonly now?: () => number;
  /** Milliseconds that a code is good for. Default ten minutes. */
  readonly codeWindow?: number;
  /** Also names where agents of the first versions register, so that its documents leave two dialects open. */
  readonly alsoFirst?: boolean;
  /** Wrong codes that end an attempt. Default three. */
  readonly tries?: number;
}

interface Attempt {
  readonly page: string;
  readonly code: string;
  readonly endsAt: number;
  triesLeft: number;
  state: 'open' | 'confirmed' | 'denied';
}

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly claimToken: string;
  secret: string;
  attempt: Attempt | null;
  claimed: boolean;
}

/** What is mailed, where no page shows the code. */
export interface Mail {
  readonly to: string;
  readonly code: string;
}

type Members = Readonly<Record<string, unknown>>;

const DAY = 24 * 60 * 60_000;
const SCOPES = { pre_claim: ['api.read'], post_claim: ['api.read', 'api.write'] };

/**
 * A service whose user reads a code back to the agent, in one of the two families that do so. Everything is in
 * memory; its page needs no sign-in.
 */
export class ReadBackService {
  readonly mails: Mail[] = [];
  readonly #entries: Entry[] = [];
  readonly #tokens = new Map<string, Entry>();
  readonly #options: ReadBackOptions;
  readonly #now: () => number;

  constructor(options: ReadBackOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** What the user does on the page: it shows the code once it is confirmed. */
  decide(page: string, decision: Attempt['state']): string {
    const attempt = this.#attemptOf(new URL(page).searchParams.get('t') ?? '');
    if (attempt === undefined) throw new Error(`There is no page ${page}.`);
    attempt.state = decision;
    return attempt.code;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/oauth-protected-resource':
      case 'GET /.well-known/oauth-authorization-server':
        return this.#answer(this.#metadata());
      case 'GET /api/resource':
        return this.#resource(request);
      case 'POST /agent/identity':
        return this.#register(await members(request));
      case 'POST /agent/identity/claim':
        return this.#openClaim(await members(request));
      case 'POST /agent/identity/claim/complete':
        return this.#redeem(await members(request));
      case 'POST /oauth2/token':
        return this.#exchange(await members(request));
      case 'GET /claim':
        return this.#page(searchParams.get('t') ?? '', undefined);
      case 'POST /claim':
        return this.#page(searchParams.get('t') ?? '', (await members(request))['decision']);
      default:
        return this.#answer({ error: 'not_found' }, 404);
    }
  };

  #answer(body: object, status = 200): Response {
    const date = new Date(this.#now()).toUTCString();
    return Response.json(body, { status, headers: { date } });
  }

  #refuse(status: number, error: string, more: object = {}): Response {
    return this.#answer({ error, message: `Refused: ${error}.`, ...more }, status);
  }

  #metadata(): object {
    const { base } = this.#options;
    return {
      resource: base,
      resource_name: 'Read-back Service',
      authorization_servers: [base],
      issuer: base,
      scopes_supported: SCOPES.post_claim,
      token_endpoint: `${base}/oauth2/token`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      agent_auth: {
        identity_endpoint: `${base}/agent/identity`,
        claim_endpoint: `${base}/agent/identity/claim`,
        ...(this.#options.alsoFirst && { register_uri: `${base}/agent/auth` }),
        identity_types_supported: ['anonymous', 'service_auth'],
      },
    };
  }

  #resource(request: Request): Response {
    const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    const entry = this.#tokens.get(given);
    if (entry !== undefined) return this.#answer({ id: entry.id, claimed: entry.claimed });
    const metadata = `${this.#options.base}/.well-known/oauth-protected-resource`;
    return new Response(null, {
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` },
    });
  }

  #register(given: Members): Response {
    const isAnonymous = given['type'] === 'anonymous';
    const email = given['login_hint'] ?? given['assertion'];
    if (!isAnonymous && !String(email).includes('@')) return this.#refuse(400, 'invalid_request');
    const entry: Entry = {
      id: secret('reg'),
      type: String(given['type']),
      claimToken: secret('clm'),
      secret: this.#newSecret(),
      attempt: null,
      claimed: false,
    };
    this.#entries.push(entry);
    if (this.#options.dialect === 'first') this.#tokens.set(entry.secret, entry);
    if (!isAnonymous) this.#openAttempt(entry, String(email));
    return this.#answer(this.#registered(entry, isAnonymous));
  }

  #registered(
    { id, type, claimToken, secret: value, attempt }: Entry,
    isAnonymous: boolean,
  ): object {
    const { base, dialect } = this.#options;
    const url = `${base}/agent/identity/claim`;
    if (dialect === 'first') {
      return {
        registration_id: id,
        registration_type: isAnonymous ? 'anonymous' : 'email-verification',
        ...(isAnonymous && {
          credential_type: 'api_key',
          credential: value,
          credential_expires: null,
          scopes: SCOPES.pre_claim,
        }),
        claim_url: url,
        claim_token: claimToken,
        claim_token_expires: this.#at(DAY),
        post_claim_scopes: SCOPES.post_claim,
      };
    }
    const block = attempt && this.#block(attempt);
    return {
      id,
      type,
      ...(isAnonymous && { identity: { assertion: value, expires_at: this.#at(3_600_000) } }),
      scopes: SCOPES,
      claim: {
        token: claimToken,
        expires_at: this.#at(DAY),
        url,
        ...(block && { attempt: block }),
      },
    };
  }

  #openClaim({ claim_token: token, login_hint: hint, email = hint }: Members): Response {
    const entry = this.#entries.find(({ claimToken }) => claimToken === token);
    if (entry === undefined) return this.#refuse(401, 'invalid_claim_token');
    if (entry.claimed) return this.#refuse(409, 'already_claimed');
    if (typeof email !== 'string') return this.#refuse(400, 'invalid_request');
    const attempt = this.#openAttempt(entry, email);
    const { id, type } = entry;
    return this.#answer(
      this.#options.dialect === 'nested'
        ? { id, type, attempt: this.#block(attempt) }
        : {
            registration_id: id,
            claim_attempt_id: secret('cla'),
            status: 'initiated',
            expires_at: iso(attempt.endsAt),
          },
    );
  }

  #redeem({ claim_token: token, otp, user_code: code = otp }: Members): Response {
    const entry = this.#entries.find(({ claimToken }) => claimToken === token);
    const isFirst = this.#options.dialect === 'first';
    if (entry === undefined) return this.#refuse(401, 'invalid_claim_token');
    if (entry.claimed) return this.#refuse(409, isFirst ? 'previously_claimed' : 'already_claimed');
    const { attempt } = entry;
    if (attempt === null) return this.#refuse(400, 'otp_not_generated');
    if (attempt.state === 'denied') return this.#refuse(403, 'claim_denied');
    if (this.#now() >= attempt.endsAt) {
      return this.#refuse(410, isFirst ? 'otp_expired' : 'user_code_expired');
    }
    if (attempt.triesLeft === 0) return this.#refuse(429, 'too_many_attempts');
    if (code !== attempt.code) {
      attempt.triesLeft -= 1;
      return isFirst
        ? this.#refuse(401, 'otp_invalid')
        : this.#refuse(401, 'invalid_user_code', { attempts_remaining: attempt.triesLeft });
    }
    if (attempt.state === 'open' && !isFirst) return this.#refuse(409, 'claim_not_confirmed');
    entry.claimed = true;
    return this.#answer(this.#claimed(entry));
  }

  #claimed(entry: Entry): object {
    const { id, type, secret: value } = entry;
    if (this.#options.dialect === 'first') {
      const gives = type === 'anonymous' ? {} : { credential_type: 'api_key', credential: value };
      return { registration_id: id, status: 'claimed', scopes: SCOPES.post_claim, ...gives };
    }
    entry.secret = this.#newSecret();
    return {
      id,
      status: 'claimed',
      identity: {
        assertion: entry.secret,
        expires_at: this.#at(3_600_000),
        refresh_token: { value: secret('art'), expires_at: this.#at(30 * DAY) },
      },
    };
  }

  #exchange({ assertion }: Members): Response {
    const entry = this.#entries.find((each) => each.secret === assertion);
    if (entry === undefined) return this.#refuse(400, 'invalid_grant');
    const token = secret('at');
    this.#tokens.set(token, entry);
    const scope = (entry.claimed ? SCOPES.post_claim : SCOPES.pre_claim).join(' ');
    return this.#answer({ access_token: token, token_type: 'Bearer', expires_in: 3600, scope });
  }

  #page(token: string, decision: unknown): Response {
    const attempt = this.#attemptOf(token);
    if (attempt === undefined) return page('<p>There is no such page.</p>', 404);
    if (decision === 'confirm') attempt.state = 'confirmed';
    if (decision === 'deny') attempt.state = 'denied';
    if (attempt.state === 'denied') return page('<p>Denied.</p>');
    if (attempt.state === 'confirmed')
      return page(`<p>Read this to your agent: <b>${attempt.code}</b></p>`);
    return page(
      '<form method="post"><button name="decision" value="confirm">Confirm</button>' +
        '<button name="decision" value="deny">Deny</button></form>',
    );
  }

  #openAttempt(entry: Entry, to: string): Attempt {
    const { codeWindow = 600_000, tries = 3 } = this.#options;
    const code = String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, '0');
    const attempt: Attempt = {
      page: secret('att'),
      code,
      endsAt: this.#now() + codeWindow,
      triesLeft: tries,
      state: 'open',
    };
    entry.attempt = attempt;
    if (this.#options.dialect === 'first') this.mails.push({ to, code });
    return attempt;
  }

  #attemptOf(token: string): Attempt | undefined {
    return this.#entries.find(({ attempt }) => attempt?.page === token)?.attempt ?? undefined;
  }

  #block({ page: token, endsAt }: Attempt): object {
    return { verification_uri: `${this.#options.base}/claim?t=${token}`, expires_at: iso(endsAt) };
  }

  #newSecret(): string {
    return secret(this.#options.dialect === 'first' ? 'sk_test' : 'ia');
  }

  #at(later: number): string {
    return iso(this.#now() + later);
  }
}

/** The members of a JSON object or of a form. */
async function members(request: Request): Promise<Members> {
  const text = await request.text();
  const isJson = request.headers.get('content-type')?.startsWith('application/json');
  return isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

function secret(kind: string): string {
  return `${kind}_${randomBytes(16).toString('base64url')}`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function page(body: string, status = 200): Response {
  return new Response(`<!doctype html><title>Claim</title>${body}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
