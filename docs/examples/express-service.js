// express-service.js: a service at which agents register, and whose users claim what an agent has registered.
// To begin from it: npm install express jose && node express-service.js
import { randomBytes, randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';
const SECONDS = { code: 600, claim: 24 * 3600, assertion: 24 * 3600, token: 3600, interval: 5 };
const WRONG_CODES = 5;
const ATTEMPTS = 4;

/**
 * @typedef {{ id: string, until: number, attempts: number, claimedBy?: string, attempt?: Attempt, polled?: number }}
 *   Registration what an agent has registered; its claim is open until `until`
 * @typedef {{ id: string, code: string, email: string, until: number, wrong: number, denied?: boolean }} Attempt
 * @typedef {import('express').Response} Response
 */

/**
 * The application. What it remembers is gone with it: put your database in place of the maps.
 * @param {string} base the origin at which it is reached, such as https://api.example.com
 * @param {() => number} now the time, in seconds since 1970
 */
export async function createService(base, now = () => Date.now() / 1000) {
  /** @type {Map<string, Registration>} By claim token. */
  const registrations = new Map();
  /** @type {Map<string, { of: Registration, scopes: string[], until: number }>} */
  const tokens = new Map();
  /** @type {Map<string, { csrf: string, email: string }>} By cookie. */
  const sessions = new Map();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };

  const app = express().disable('x-powered-by');
  app.use(express.json(), express.urlencoded(), (request, response, next) => {
    request.body ??= {};
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'X-Content-Type-Options': 'nosniff' });
    next();
  });

  // What an agent reads first.
  const publish = (/** @type {string} */ path, /** @type {object} */ document) =>
    app.get(path, (_request, response) => void response.json(document));
  publish('/.well-known/oauth-protected-resource', {
    resource: base,
    authorization_servers: [base],
    bearer_methods_supported: ['header'],
  });
  publish('/.well-known/oauth-authorization-server', {
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint: `${base}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: ['none'],
    jwks_uri: `${base}/keys.json`,
    grant_types_supported: [JWT_BEARER, CLAIM],
    response_types_supported: [],
    scopes_supported: ['api.read', 'api.write'],
    agent_auth: {
      skill: `${base}/auth.md`,
      identity_endpoint: `${base}/agent/identity`,
      claim_endpoint: `${base}/agent/identity/claim`,
      identity_types_supported: ['anonymous'],
    },
  });
  publish('/keys.json', { keys: [jwk] });
  app.get('/auth.md', (_request, response) => {
    response.type('text/markdown').send(`# Agents\n\nPOST ${base}/agent/identity registers.\n`);
  });

  app.post('/agent/identity', async (request, response) => {
    if (request.body.type !== 'anonymous') return refuse(response, 'invalid_request');
    const claim_token = random();
    const made = { id: random(), until: now() + SECONDS.claim, attempts: 0 };
    registrations.set(claim_token, made);
    response.json({ claim_token, identity_assertion: await sign(made) });
  });

  app.post('/agent/identity/claim', (request, response) => {
    const { claim_token, email: given } = request.body;
    const email = readEmail(given);
    const of = registrations.get(claim_token);
    const isOver = !of || of.claimedBy || of.attempts >= ATTEMPTS || now() >= of.until;
    if (isOver || email === undefined) return refuse(response, 'invalid_request');
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const until = Math.min(now() + SECONDS.code, of.until);
    of.attempts += 1;
    of.attempt = { id: random(), code, email, until, wrong: 0 };
    const verification_uri = `${base}/claim?attempt=${of.attempt.id}`;
    const { interval, code: expires_in } = SECONDS;
    response.json({ claim_attempt: { user_code: code, verification_uri, expires_in, interval } });
  });

  app.post('/oauth2/token', async (request, response) => {
    const { grant_type, assertion, claim_token, scope, client_secret, client_assertion } = request.body;
    // A parameter that stands twice is read as a list (RFC 6749 §3.2).
    const given = [grant_type, assertion, claim_token, scope].filter((value) => value);
    const isWhole = given.every((value) => typeof value === 'string') && grant_type;
    if (!isWhole) return refuse(response, 'invalid_request');
    if (client_secret || client_assertion || /^Basic /i.test(request.get('authorization') ?? '')) {
      response.set('WWW-Authenticate', 'Basic realm="token"');
      return refuse(response, 'invalid_client', 401);
    }
    if (grant_type === JWT_BEARER) {
      if (!assertion) return refuse(response, 'invalid_request');
      const found = await verify(assertion);
      return found ? grant(response, found, scope) : refuse(response, 'invalid_grant');
    }
    if (grant_type !== CLAIM) return refuse(response, 'unsupported_grant_type');
    if (!claim_token) return refuse(response, 'invalid_request');
    const of = registrations.get(claim_token);
    if (!of) return refuse(response, 'invalid_grant');
    if (of.claimedBy) return grant(response, of, scope, { identity_assertion: await sign(of) });
    if (of.attempt?.denied) return refuse(response, 'access_denied');
    if (now() >= of.until || (of.attempt && !isLive(of.attempt))) {
      return refuse(response, 'expired_token');
    }
    const isTooSoon = now() - (of.polled ?? 0) < SECONDS.interval;
    of.polled = now();
    refuse(response, isTooSoon ? 'slow_down' : 'authorization_pending');
  });

  app.post('/oauth2/revoke', (request, response) => {
    if (typeof request.body.token !== 'string') return refuse(response, 'invalid_request');
    tokens.delete(request.body.token);
    response.end();
  });

  // What all of this is for. Its 401 says where an agent begins (RFC 9728 §5.1).
  app.all('/api/resource', (request, response) => {
    const field = request.get('authorization');
    const token = tokens.get(/^Bearer ([^ ]+)$/i.exec(field ?? '')?.[1] ?? '');
    const scope = request.method === 'GET' || request.method === 'HEAD' ? 'api.read' : 'api.write';
    const isValid = token !== undefined && now() < token.until;
    if (isValid && token.scopes.includes(scope)) {
      return void response.json({ user: token.of.claimedBy ?? null });
    }
    const error = isValid ? `error="insufficient_scope", scope="${scope}", ` : 'error="invalid_token", ';
    const where = `resource_metadata="${base}/.well-known/oauth-protected-resource"`;
    response.set('WWW-Authenticate', `Bearer ${field === undefined ? '' : error}${where}`);
    response.status(isValid ? 403 : 401).end();
  });

  // The page on which the user decides. Put your own sign-in in place of this one, which believes any email.
  app.all('/claim', (request, response) => {
    const { attempt: id = request.query['attempt'], csrf, email: given, code, decision } = request.body;
    const of = [...registrations.values()].find(({ attempt }) => attempt?.id === id);
    if (!of?.attempt || of.claimedBy || !isLive(of.attempt)) return show(response, 410, 'Over.');
    const cookie = /(?:^|; )session=([^;]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
    const session = sessions.get(cookie) ?? begin(response, '');
    const ask = (status = 200) =>
      show(response, status, session.email ? CODE : SIGN_IN, { ...session, attempt: of.attempt?.id });
    const isForm = request.method === 'POST';
    if (isForm && (csrf !== session.csrf || (request.get('origin') ?? base) !== base)) {
      return show(response, 403, 'This form is over. Open the link again.');
    }
    if (!session.email) {
      const email = isForm ? readEmail(given) : undefined;
      if (email === undefined) return ask(isForm ? 400 : 200);
      sessions.delete(cookie);
      begin(response, email);
      return response.redirect(303, `/claim?attempt=${of.attempt.id}`);
    }
    if (session.email !== of.attempt.email) return show(response, 403, 'This is for another account.');
    if (!isForm) return ask();
    if (decision === 'deny') {
      of.attempt.denied = true;
      return show(response, 200, 'Denied.');
    }
    if (String(code).replace(/[\s-]/g, '') !== of.attempt.code) {
      of.attempt.wrong += 1;
      return isLive(of.attempt) ? ask(400) : show(response, 410, 'Over.');
    }
    // From now on no token and no assertion of the time before is good.
    of.claimedBy = session.email;
    for (const [token, { of: owner }] of tokens) if (owner === of) tokens.delete(token);
    show(response, 200, 'Approved. Go back to your agent.');
  });
  return app;

  function begin(/** @type {Response} */ response, /** @type {string} */ email) {
    const session = { csrf: random(), email };
    const id = random();
    sessions.set(id, session);
    response.cookie('session', id, { httpOnly: true, sameSite: 'lax', secure: base.startsWith('https:') });
    return session;
  }
  function isLive(/** @type {Attempt} */ { denied, wrong, until }) {
    return !denied && wrong < WRONG_CODES && now() < until;
  }
  function sign(/** @type {Registration} */ { id, claimedBy }) {
    return new SignJWT({ claimed: claimedBy !== undefined, jti: random() })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' })
      .setIssuer(base)
      .setAudience(base)
      .setSubject(id)
      .setIssuedAt(now())
      .setExpirationTime(now() + SECONDS.assertion)
      .sign(privateKey);
  }
  /** The registration of an assertion that still holds. */
  async function verify(/** @type {string} */ assertion) {
    const currentDate = new Date(now() * 1000);
    const expected = { issuer: base, audience: base, algorithms: ['ES256'], typ: 'JWT', currentDate };
    const read = await jwtVerify(assertion, publicKey, expected).catch(() => undefined);
    const found = [...registrations.values()].find(({ id }) => id === read?.payload.sub);
    return read?.payload['claimed'] === (found?.claimedBy !== undefined) ? found : undefined;
  }
  function grant(/** @type {Response} */ response, /** @type {Registration} */ of, scope = '', more = {}) {
    const own = of.claimedBy ? ['api.read', 'api.write'] : ['api.read'];
    const scopes = scope ? scope.split(' ') : own;
    if (!scopes.every((one) => own.includes(one))) return refuse(response, 'invalid_scope');
    const access_token = random();
    tokens.set(access_token, { of, scopes, until: now() + SECONDS.token });
    const token = { access_token, token_type: 'Bearer', expires_in: SECONDS.token };
    response.json({ ...token, scope: scopes.join(' '), ...more });
  }
}

const random = () => randomBytes(24).toString('base64url');

function refuse(/** @type {Response} */ response, /** @type {string} */ error, status = 400) {
  response.status(status).json({ error });
}

function readEmail(/** @type {unknown} */ given) {
  const email = typeof given === 'string' ? given.trim().toLowerCase() : '';
  return /^[a-z0-9._+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(email) ? email : undefined;
}

const SIGN_IN = '<label>Email <input type="email" name="email"></label> <button>Sign in</button>';
const CODE = `<p>An agent asks to read and write for you.</p><label>Code <input name="code"></label>
<button name="decision" value="approve">Approve</button> <button name="decision" value="deny">Deny</button>`;

function show(/** @type {Response} */ response, /** @type {number} */ status, /** @type {string} */ text, form = {}) {
  const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
  response.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' });
  const { csrf, attempt, email } = /** @type {Record<string, string>} */ (form);
  const hidden = `<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="attempt" value="${attempt}">`;
  const body = csrf ? `<p>${email}</p><form method="post" action="/claim">${hidden}${text}</form>` : text;
  response.status(status).send(`<!doctype html><title>Agents</title>${body}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env['PORT'] ?? 3000);
  const app = await createService(`http://127.0.0.1:${port}`);
  app.listen(port, '127.0.0.1', () => console.log(`Agents register at http://127.0.0.1:${port}`));
}
