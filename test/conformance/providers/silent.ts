/**
 * A provider as somebody writes it in an evening on Node's own server: it mints only for the services of its
 * list, tells no service anything, answers 500 to what it did not expect, and asks for consent on a page that
 * has no way to deny.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import type { RunningProvider } from './strict.ts';

interface Device {
  readonly userCode: string;
  email?: string;
}

type Form = Readonly<Record<string, string>>;
type Page = Readonly<{ status: number; type: string; body: string; headers?: Form }>;

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const FIVE_MINUTES = 300;
const HOUR = 3600;

/** @param options.audiences The services that it mints for. */
export async function startSilent(options: {
  readonly audiences: readonly string[];
  readonly now?: () => number;
}): Promise<RunningProvider> {
  const { audiences, now = Date.now } = options;
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  const devices = new Map<string, Device>();
  const signedIn = new Map<string, string>();
  const consents = new Set<string>();
  let issuer = '';

  const seconds = () => Math.floor(now() / 1000);
  const sign = (typ: string, aud: string, sub: string, claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ })
      .setIssuer(issuer)
      .setAudience(aud)
      .setSubject(sub)
      .setIssuedAt(seconds())
      .sign(privateKey);

  const poll = async (form: Form): Promise<Page> => {
    const device = devices.get(form['device_code'] ?? '');
    if (device === undefined) return json(400, { error: 'expired_token' });
    if (device.email === undefined) return json(400, { error: 'authorization_pending' });
    devices.delete(form['device_code'] ?? '');
    const idToken = await sign('JWT', 'agent-auth', `user:${device.email}`, {
      email: device.email,
      auth_time: seconds(),
      exp: seconds() + HOUR,
    });
    return json(200, { id_token: idToken, access_token: text(), token_type: 'Bearer' });
  };

  const mint = async (form: Form): Promise<Page> => {
    // Whatever is wrong with the token is thrown, and becomes a 500.
    const { payload } = await jwtVerify(form['subject_token'] as string, publicKey, {
      issuer,
      audience: 'agent-auth',
      typ: 'JWT',
      currentDate: new Date(now()),
    });
    if (form['requested_token_type'] !== ID_JAG) throw new TypeError('no such token');
    const audience = new URL(form['audience'] as string).href.replace(/\/$/, '');
    if (!audiences.includes(audience)) {
      return json(400, { error: 'invalid_target', error_description: 'Unknown service.' });
    }
    const email = String(payload['email']);
    if (!consents.has(`${email} ${audience}`)) {
      const consentUri = `${issuer}/consent?to=${encodeURIComponent(audience)}`;
      return json(400, { error: 'consent_required', consent_uri: consentUri });
    }
    const idJag = await sign('oauth-id-jag+jwt', audience, String(payload.sub), {
      client_id: issuer,
      jti: text(),
      exp: seconds() + FIVE_MINUTES,
      auth_time: payload['auth_time'],
      email,
      email_verified: true,
    });
    const answer = { access_token: idJag, issued_token_type: ID_JAG, token_type: 'N_A' };
    return json(200, { ...answer, expires_in: FIVE_MINUTES });
  };

  const routes: Readonly<Record<string, (ask: Ask) => Page | Promise<Page>>> = {
    'GET /.well-known/oauth-authorization-server': () => json(200, metadataOf(issuer)),
    'GET /keys': () => json(200, { keys: [jwk] }),
    'POST /device_authorization': () => {
      const deviceCode = text();
      const userCode = text().slice(0, 8).toUpperCase();
      devices.set(deviceCode, { userCode });
      const verification = { user_code: userCode, verification_uri: `${issuer}/device` };
      return json(200, { device_code: deviceCode, ...verification, expires_in: 600, interval: 1 });
    },
    'POST /token': ({ form }) => (form['grant_type'] === DEVICE ? poll(form) : mint(form)),
    'POST /login': ({ form }) => {
      const id = text();
      signedIn.set(id, String(form['email']));
      const headers = { location: String(form['next']), 'set-cookie': `sid=${id}; HttpOnly` };
      return { status: 302, type: 'text/plain', body: '', headers };
    },
    'GET /device': ({ url, user }) =>
      user === undefined
        ? loginPage(url)
        : html('Code', 'device', '<label>Code <input name="code"></label>', 'Connect'),
    'POST /device': ({ form, user }) => {
      const device = [...devices.values()].find(({ userCode }) => userCode === form['code']);
      if (device === undefined || user === undefined) return html('No such code', 'device', '', '');
      device.email = user;
      return html('Connected', 'device', '', '');
    },
    'GET /consent': ({ url, user }) => {
      if (user === undefined) return loginPage(url);
      const to = escaped(url.searchParams.get('to') ?? '');
      const hidden = `<input type="hidden" name="to" value="${to}">`;
      return html(`Allow the agent to use ${to}?`, 'consent', hidden, 'Allow');
    },
    'POST /consent': ({ form, user }) => {
      consents.add(`${user} ${form['to']}`);
      return html('Thank you', 'consent', '', '');
    },
    'GET /consents': ({ url, user }) => {
      if (user === undefined) return loginPage(url);
      const mine = [...consents].filter((each) => each.startsWith(`${user} `));
      const forms = mine.map((each) => {
        const to = escaped(each.slice(each.indexOf(' ') + 1));
        const hidden = `<input type="hidden" name="to" value="${to}">`;
        return `<form method="post" action="/consents">${hidden}<button>End</button></form>`;
      });
      return { status: 200, type: 'text/html', body: forms.join('') };
    },
    'POST /consents': ({ form, user }) => {
      consents.delete(`${user} ${form['to']}`);
      return { status: 302, type: 'text/plain', body: '', headers: { location: '/consents' } };
    },
  };

  const answer = async (request: IncomingMessage): Promise<Page> => {
    const url = new URL(request.url ?? '/', issuer);
    const route = routes[`${request.method} ${url.pathname}`];
    if (route === undefined) return { status: 404, type: 'text/html', body: 'Cannot do that' };
    const form = Object.fromEntries(new URLSearchParams(await readText(request)));
    const sid = /sid=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    return route({ url, form, user: signedIn.get(sid) });
  };
  const server = createServer((request, response) => {
    answer(request)
      .then((page) => send(response, page))
      .catch(() =>
        send(response, { status: 500, type: 'text/html', body: 'Internal Server Error' }),
      );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  issuer = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  return {
    url: issuer,
    consentsPage: `${issuer}/consents`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface Ask {
  readonly url: URL;
  readonly form: Form;
  readonly user: string | undefined;
}

function metadataOf(issuer: string) {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device_authorization`,
    grant_types_supported: [DEVICE, EXCHANGE],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

function text(): string {
  return randomBytes(18).toString('hex');
}

function json(status: number, body: unknown): Page {
  const headers = { 'cache-control': 'no-store' };
  return { status, type: 'application/json', body: JSON.stringify(body), headers };
}

function loginPage(url: URL): Page {
  const next = escaped(url.pathname + url.search);
  const fields = `<input type="hidden" name="next" value="${next}"><input type="email" name="email">`;
  return html('Sign in', 'login', fields, 'Sign in');
}

function html(title: string, action: string, fields: string, button: string): Page {
  const form = `<form method="post" action="/${action}">${fields}<button>${button}</button></form>`;
  const body = `<h1>${title}</h1>${button === '' ? '' : form}`;
  const headers = { 'x-frame-options': 'DENY', 'cache-control': 'no-store' };
  return { status: 200, type: 'text/html', body, headers };
}

function escaped(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function send(response: ServerResponse, { body, headers, status, type }: Page): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}
