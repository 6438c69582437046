import { beforeEach, describe, expect, it } from 'vitest';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import { NetworkError } from '../../src/runtime/index.ts';
import { type Answer, type FakeProvider, Harness, PROVIDER } from './harness.ts';

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const JWKS = '/.well-known/jwks.json';
const KEYS = 'https://keys.test/set';

type Reply = () => Response;

let h: Harness;
/** What is at a URL; anything else is 404. */
let web: Map<string, Reply>;
/** What the service fetched since the start. */
let seen: string[];

const document = (members: object) => () => Response.json(members);
const metadata = (members: object = {}) =>
  document({ issuer: PROVIDER, jwks_uri: KEYS, ...members });
const refusedConnection: Reply = () => {
  throw new NetworkError('refused', 'The connection was refused.');
};
/** The key set of a provider, wherever it is. */
const keysOf =
  (provider: FakeProvider): Reply =>
  () =>
    Response.json({ keys: [...provider.keys.values()].map(({ jwk }) => jwk) });

async function start(options: Partial<MockServiceOptions> = {}): Promise<void> {
  seen = [];
  h = await Harness.start({
    fetch: async (url) => {
      seen.push(url);
      return web.get(url)?.() ?? new Response(null, { status: 404 });
    },
    ...options,
  });
}

async function register(claims: Record<string, unknown> = {}, kid = 'key-1'): Promise<Answer> {
  const assertion = await h.provider.idJag(claims, { kid });
  return h.register({ type: 'identity_assertion', assertion });
}

const codeOf = ({ body, status }: Answer) => (status === 200 ? 200 : body['error']);

beforeEach(async () => {
  web = new Map();
  await start();
});

describe('the keys of a trusted issuer', () => {
  it('are where its metadata says (RFC 8414 §3), which is read at the first use', async () => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    expect(seen).toEqual([]);
    expect(codeOf(await register())).toBe(200);
    expect(codeOf(await register())).toBe(200);
    expect(seen).toEqual([PROVIDER + OAUTH, KEYS]);
  });

  it('are where OpenID Connect says, if nothing else does', async () => {
    web.set(PROVIDER + OPENID, metadata()).set(KEYS, keysOf(h.provider));
    expect(codeOf(await register())).toBe(200);
    expect(seen).toEqual([PROVIDER + OAUTH, PROVIDER + OPENID, KEYS]);
  });

  it('are below an issuer that has no metadata', async () => {
    web.set(PROVIDER + JWKS, keysOf(h.provider));
    expect(codeOf(await register())).toBe(200);
    expect(seen).toEqual([PROVIDER + OAUTH, PROVIDER + OPENID, PROVIDER + JWKS]);
  });

  it('are looked for at both places of an issuer with a path (RFC 8414 §3.1, §5)', async () => {
    const iss = `${PROVIDER}/tenant`;
    await start({ trust: [{ issuer: iss }] });
    web.set(`${iss}${OPENID}`, metadata({ issuer: iss })).set(KEYS, keysOf(h.provider));
    expect(codeOf(await register({ iss, client_id: iss }))).toBe(200);
    expect(seen).toEqual([
      `${PROVIDER}${OAUTH}/tenant`,
      `${PROVIDER}${OPENID}/tenant`,
      `${iss}${OPENID}`,
      KEYS,
    ]);
  });

  it('are where the trust entry says, and then no metadata is read', async () => {
    await start({ trust: [{ issuer: PROVIDER, jwksUri: KEYS }] });
    web.set(KEYS, keysOf(h.provider)).set(PROVIDER + OAUTH, metadata({ jwks_uri: `${KEYS}/no` }));
    expect(codeOf(await register())).toBe(200);
    expect(seen).toEqual([KEYS]);
  });

  it('are fetched for trusted issuers alone', async () => {
    expect(codeOf(await register({ iss: 'https://stranger.test' }))).toBe('invalid_issuer');
    expect(seen).toEqual([]);
  });
});

describe('metadata', () => {
  it.each<[what: string, members: object, problem: string]>([
    ['of another issuer', { issuer: 'https://other.test' }, 'issuer_mismatch'],
    ['of the issuer with a slash more', { issuer: `${PROVIDER}/` }, 'issuer_mismatch'],
    ['without a key set', { jwks_uri: undefined }, 'no_jwks_uri'],
    ['with a key set that is no URL', { jwks_uri: 'keys' }, 'bad_jwks_uri'],
    ['with a key set over plain http', { jwks_uri: 'http://keys.test/set' }, 'bad_jwks_uri'],
    ['with a key set on this machine', { jwks_uri: 'https://localhost/set' }, 'bad_jwks_uri'],
    ['with a password', { jwks_uri: 'https://a:b@keys.test/set' }, 'bad_jwks_uri'],
  ])('%s is not used (RFC 8414 §3.3), and the log says so', async (_what, members, problem) => {
    web.set(PROVIDER + OAUTH, metadata(members)).set(PROVIDER + JWKS, keysOf(h.provider));
    expect(codeOf(await register())).toBe(200);
    expect(seen).toEqual([PROVIDER + OAUTH, PROVIDER + OPENID, PROVIDER + JWKS]);
    expect(h.log.entries.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        event: 'trust.metadata_refused',
        fields: { url: PROVIDER + OAUTH, problem },
      },
    ]);
  });

  it('that is a web page is none', async () => {
    web.set(PROVIDER + OAUTH, () => new Response('<!doctype html>')).set(KEYS, keysOf(h.provider));
    web.set(PROVIDER + OPENID, metadata());
    expect(codeOf(await register())).toBe(200);
  });

  it('is not followed elsewhere', async () => {
    const location = 'https://other.test/metadata';
    web.set(PROVIDER + OAUTH, () => new Response(null, { status: 302, headers: { location } }));
    web.set(PROVIDER + JWKS, keysOf(h.provider));
    expect(codeOf(await register())).toBe(200);
    expect(seen).not.toContain(location);
  });

  it('is read again after five minutes, so that keys can move', async () => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    await register();
    const moved = `${KEYS}/2`;
    web.set(PROVIDER + OAUTH, metadata({ jwks_uri: moved })).set(moved, keysOf(h.provider));
    h.clock.advance(5 * 60_000 - 1);
    await register();
    expect(seen).not.toContain(moved);
    h.clock.advance(1);
    expect(codeOf(await register())).toBe(200);
    expect(seen.slice(-2)).toEqual([PROVIDER + OAUTH, moved]);
  });

  it('is read again for a key that is unknown, every thirty seconds at most', async () => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    await register();
    await h.provider.addKey('key-2');
    const moved = `${KEYS}/2`;
    web.set(PROVIDER + OAUTH, metadata({ jwks_uri: moved })).set(moved, keysOf(h.provider));
    web.set(KEYS, document({ keys: [] }));
    for (let flood = 0; flood < 10; flood += 1) {
      expect(codeOf(await register({}, 'key-2'))).toBe('invalid_signature');
    }
    expect(seen).toHaveLength(2);
    h.clock.advance(30_000);
    expect(codeOf(await register({}, 'key-2'))).toBe(200);
    expect(seen.slice(2)).toEqual([PROVIDER + OAUTH, moved]);
  });

  it('is read once for requests that come while it is on its way', async () => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    const answers = await Promise.all(Array.from({ length: 5 }, () => register()));
    expect(answers.map(codeOf)).toEqual([200, 200, 200, 200, 200]);
    expect(seen).toEqual([PROVIDER + OAUTH, KEYS]);
  });

  it('may be away for a while: keys stay where they were', async () => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    await register();
    web.set(PROVIDER + OAUTH, refusedConnection);
    h.clock.advance(3_600_000);
    expect(codeOf(await register())).toBe(200);
    expect(h.log.entries.map(({ event }) => event)).toContain('trust.metadata_unavailable');
  });
});

describe('the 503 names the URL that did not answer', () => {
  const told = ({ body, headers, status }: Answer) => [
    status,
    headers.get('retry-after'),
    body['error'] ?? body['err'],
    body['error_description'] ?? body['description'],
  ];
  const of = (url: string) => [
    503,
    '5',
    'temporarily_unavailable',
    `The keys of the issuer cannot be fetched: ${url} gave no usable answer.`,
  ];

  const notify = async () =>
    h.send('POST', '/agent/event/notify', {
      body: await h.provider.event(),
      headers: { 'content-type': 'application/secevent+jwt' },
    });

  it.each<[what: string, reply: Reply]>([
    ['is away', refusedConnection],
    ['answers 500', () => new Response(null, { status: 500 })],
    ['answers 404', () => new Response(null, { status: 404 })],
    ['is no key set', () => new Response('[]')],
  ])('where the key set %s, for an ID-JAG and for an event', async (_what, reply) => {
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, reply);
    expect(told(await register())).toEqual(of(KEYS));
    // Within the pause after a failure, too.
    expect(told(await register())).toEqual(of(KEYS));
    expect(told(await notify())).toEqual(of(KEYS));
    expect(seen).toEqual([PROVIDER + OAUTH, KEYS]);
  });

  it('where the metadata is away: where the keys are is not guessed', async () => {
    web.set(PROVIDER + OAUTH, refusedConnection).set(PROVIDER + JWKS, keysOf(h.provider));
    expect(told(await register())).toEqual(of(PROVIDER + OAUTH));
    expect(told(await notify())).toEqual(of(PROVIDER + OAUTH));
    expect(seen).toEqual([PROVIDER + OAUTH]);
    web.set(PROVIDER + OAUTH, metadata()).set(KEYS, keysOf(h.provider));
    h.clock.advance(2_000);
    expect(codeOf(await register())).toBe(200);
  });

  it('where it is configured, without a query, which may be secret', async () => {
    await start({ trust: [{ issuer: PROVIDER, jwksUri: `${KEYS}?token=s3cret` }] });
    expect(told(await register())).toEqual(of(KEYS));
  });

  it('and nothing that a token names', async () => {
    const assertion = await h.provider.idJag({}, { jku: 'https://stranger.test/keys' });
    web.set(PROVIDER + OAUTH, refusedConnection);
    const { body } = await h.register({ type: 'identity_assertion', assertion });
    expect(JSON.stringify(body)).not.toContain('stranger');
  });
});
