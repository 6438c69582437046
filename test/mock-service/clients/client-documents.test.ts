import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import { JWT_BEARER_GRANT } from '../../../src/protocol/constants.ts';
import type { ConnectGuard } from '../../../src/runtime/index.ts';
import { BASE, Harness } from '../harness.ts';

const HOST = 'https://client.example';
const ID = `${HOST}/app.json`;
const PUBLIC = { client_id: ID, client_name: 'App', token_endpoint_auth_method: 'none' };
const KEYED = { ...PUBLIC, token_endpoint_auth_method: 'private_key_jwt' };
const LOCAL = 'http://127.0.0.1:4800';

/** The web, as the service reaches it: what lies where, and which IP addresses names have. */
class Web {
  readonly documents = new Map<string, () => Response>();
  readonly ips = new Map([['client.example', '93.184.216.34']]);
  readonly asked: string[] = [];

  readonly guardedFetch = (guard: ConnectGuard) => async (url: string) => {
    const { hostname } = new URL(url);
    guard(this.ips.get(hostname) ?? hostname);
    this.asked.push(url);
    return this.documents.get(url)?.() ?? new Response(null, { status: 404 });
  };

  put(url: string, document: unknown): void {
    this.documents.set(url, () => Response.json(document));
  }
}

async function start(options: Partial<MockServiceOptions> = {}) {
  const web = new Web();
  const h = await Harness.start({ guardedFetch: web.guardedFetch, ...options });
  const base = options.baseUrl ?? BASE;
  const redeem = async (id: string, fields: Record<string, string> = { client_id: id }) => {
    const assertion = await h.provider.idJag({ aud: base, client_id: id, resource: base });
    const body = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion, ...fields });
    const url = `${base}/oauth2/token`;
    const { status } = await h.service.fetch(new Request(url, { method: 'POST', body }));
    const refused = h.log.entries.findLast(({ event }) => event === 'client.refused');
    return { status, why: status === 200 ? undefined : refused?.fields?.['reason'] };
  };
  return { h, web, redeem };
}

describe('a client that is known by its metadata document', () => {
  it('EMA-60, EMA-90, D-5: is taken without a secret where its document says none, and read once a minute', async () => {
    const { h, redeem, web } = await start();
    web.put(ID, PUBLIC);
    expect([await redeem(ID), await redeem(ID)]).toEqual([{ status: 200 }, { status: 200 }]);
    expect(web.asked).toEqual([ID]);
    web.put(ID, KEYED);
    await h.clock.advance(60_000);
    expect((await redeem(ID)).status).toBe(401);
  });

  it.each<[string, unknown, string]>([
    ['another client_id', { ...PUBLIC, client_id: `${ID}/` }, 'client_id'],
    ['a secret', { ...PUBLIC, client_secret: 'x' }, 'client_secret'],
    [
      'client_secret_basic',
      { ...PUBLIC, token_endpoint_auth_method: 'client_secret_basic' },
      'none nor',
    ],
    ['no method', { client_id: ID }, 'none nor'],
    ['no keys', KEYED, 'jwks'],
    [
      'a private key',
      { ...KEYED, jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] } },
      'public keys',
    ],
    [
      'keys at a special-use address',
      { ...KEYED, jwks_uri: 'https://169.254.169.254/jwks' },
      '169.254',
    ],
    ['more than 5 kB', { ...PUBLIC, more: 'x'.repeat(5_120) }, '5120 bytes'],
    ['no object', [PUBLIC], 'JSON object'],
  ])('EMA-90: is refused for %s, and the log says why', async (_what, document, why) => {
    const { redeem, web } = await start();
    web.put(ID, document);
    expect(await redeem(ID)).toEqual({ status: 401, why: expect.stringContaining(why) });
    expect(web.asked).toEqual([ID]);
    // What was wrong is not kept.
    web.put(ID, PUBLIC);
    expect((await redeem(ID)).status).toBe(200);
  });

  it('EMA-90: follows no redirect', async () => {
    const { redeem, web } = await start();
    const headers = { location: `${HOST}/there.json` };
    web.documents.set(ID, () => new Response(null, { status: 301, headers }));
    web.put(`${HOST}/there.json`, PUBLIC);
    expect(await redeem(ID)).toEqual({ status: 401, why: expect.stringContaining('redirects') });
    expect(web.asked).toEqual([ID]);
  });

  it.each([
    'http://127.0.0.1/app.json',
    'https://127.0.0.2/app.json',
    'https://169.254.169.254/app.json',
    'https://[::ffff:10.0.0.5]/app.json',
    'https://localhost/app.json',
    'https://inside.example/app.json',
    'http://client.example/app.json',
    'https://client.example',
    'https://client.example/a/../app.json',
    'https://user@client.example/app.json',
  ])('EMA-90: asks nobody inside, and at no other URL: %s', async (url) => {
    const { redeem, web } = await start();
    web.ips.set('inside.example', '10.0.0.5');
    web.put(url, { ...PUBLIC, client_id: url });
    expect((await redeem(url)).status).toBe(401);
    expect(web.asked).toEqual([]);
  });

  it('EMA-90: is on the loopback of a service that is there itself, and on no other', async () => {
    const { redeem, web } = await start({ baseUrl: LOCAL });
    const urls = ['127.0.0.1', 'localhost', '127.0.0.2', '10.0.0.5'].map(
      (host) => `http${host === '10.0.0.5' ? 's' : ''}://${host}:9000/app.json`,
    );
    web.ips.set('localhost', '127.0.0.1');
    for (const url of urls) web.put(url, { ...PUBLIC, client_id: url });
    const answers = await Promise.all(urls.map((url) => redeem(url)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 401]);
    // They are asked side by side.
    expect([...web.asked].sort()).toEqual(urls.slice(0, 2));
  });

  it('EMA-91: private_key_jwt asks for an assertion of its own key, for this server, once', async () => {
    const { h, redeem, web } = await start();
    const pair = async (kid: string) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
    };
    const [one, two] = [await pair('one'), await pair('two')];
    web.put(ID, { ...KEYED, jwks_uri: `${HOST}/jwks.json` });
    web.put(`${HOST}/jwks.json`, { keys: [one.jwk] });
    const by = async (claims: Record<string, unknown>, key = one) => {
      const jwt = new SignJWT({ iss: ID, sub: ID, aud: BASE, exp: h.provider.now + 60, ...claims });
      return redeem(ID, {
        client_assertion: await jwt
          .setProtectedHeader({ alg: 'ES256', kid: key.kid })
          .sign(key.privateKey),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
    };
    expect((await by({ jti: '1' })).status).toBe(200);
    expect((await by({ jti: '1' })).why).toContain('used before');
    expect((await by({ jti: '2', aud: 'https://other.test' })).why).toContain('aud');
    expect((await by({ jti: '3' }, { ...two, kid: 'one' })).why).toContain('not signed by it');
    expect((await redeem(ID)).why).toContain('authenticates');
    // Its keys change: the next one is looked for, seldom.
    web.put(`${HOST}/jwks.json`, { keys: [two.jwk] });
    expect((await by({ jti: '4' }, two)).why).toContain('none of its keys');
    await h.clock.advance(30_000);
    expect((await by({ jti: '5' }, two)).status).toBe(200);
  });

  it('D-5: with configured clients, is one of them that shows nothing itself', async () => {
    const { h, redeem, web } = await start({ clients: [{ id: ID }] });
    const other = `${HOST}/other.json`;
    web.put(ID, PUBLIC);
    web.put(other, { ...PUBLIC, client_id: other });
    expect([(await redeem(ID)).status, (await redeem(other)).status]).toEqual([200, 401]);
    expect(web.asked).toEqual([ID]);
    const isDeclared = async ({ service }: Harness) => {
      const url = `${BASE}/.well-known/oauth-authorization-server`;
      const metadata = (await (await service.fetch(new Request(url))).json()) as object;
      return 'client_id_metadata_document_supported' in metadata;
    };
    const secret = await start({ clients: [{ id: 'app', secret: 'x' }] });
    expect([await isDeclared(h), await isDeclared(secret.h)]).toEqual([true, false]);
    expect((await secret.redeem(ID)).status).toBe(401);
  });
});
