import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { failure } from '../support/bench.ts';
import { IDP, MCP, Parties, RAS, refusal, type Says, tooNarrow } from './fake-parties.ts';

const DEVICE = JSON.stringify({
  device_code: 'd1',
  user_code: 'WXYZ',
  verification_uri: `${IDP}/device`,
  expires_in: 600,
});
const HALF_HASH_OF_ANOTHER = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('an agent as a client of cross-app access', () => {
  it('signs in, exchanges, redeems and calls', async () => {
    const parties = new Parties();
    const outcome = await parties.connect();
    expect(outcome).toMatchObject({ status: 'connected', scopes: ['read'], call: { status: 200 } });
    expect([parties.grants('idp'), parties.grants('ras')]).toEqual([
      ['authorization_code', 'token-exchange'],
      ['jwt-bearer'],
    ]);
    expect(parties.loopback.ended).toEqual(['signed_in']);
  });

  it('goes on as the client that it is there where no client is named, and nobody registers', async () => {
    const parties = new Parties();
    await parties.connect();
    const outcome = await parties.connect({ client: undefined });
    expect(outcome).toMatchObject({ status: 'connected', already: true, call: { status: 200 } });
    expect(parties.grants('ras')).toEqual(['jwt-bearer']);
  });

  it('says what the provider does not know: the service with its resource', async () => {
    const parties = new Parties({ refuse: { exchange: [refusal('invalid_target')] } });
    const error = await parties.fails();
    expect([error.code, error.kind, error.message]).toEqual([
      'invalid_target',
      'refused',
      `${IDP} does not know ${RAS} with the resource ${MCP}.`,
    ]);
    expect(parties.grants('ras')).toEqual([]);
  });

  it('takes each step by itself: an ID-JAG that was minted is redeemed', async () => {
    const parties = new Parties();
    await parties.connect();
    const minted = await parties.agent.providerMint({
      ...{ provider: IDP, audience: RAS, resource: MCP, scopes: ['read'] },
      clientId: 'app',
    });
    if (minted.status !== 'minted') throw new Error(minted.status);
    const granted = await parties.agent.redeem({ service: MCP, assertion: minted.assertion });
    expect(granted).toMatchObject({ status: 'granted' });
    expect(parties.grants('ras')).toEqual(['jwt-bearer', 'jwt-bearer']);
    const [first, second] = parties.forms('ras').map(({ assertion }) => assertion);
    expect(second).not.toBe(first);
  });

  it('keeps the secret of a client when another one is named without its own', async () => {
    const parties = new Parties();
    await parties.connect();
    const { clients } = await parties.store.read();
    const error = await parties.fails({ client: { id: 'another' } });
    expect([error.code, error.message]).toEqual([
      'client_auth_missing',
      expect.stringContaining('the client app, whose credentials are kept'),
    ]);
    expect((await parties.store.read()).clients).toEqual(clients);
  });

  it('keeps the secret that the service took when it refuses another, which is tried at once', async () => {
    const refuse = { exchange: [] as Response[], redeem: [] as Response[] };
    const parties = new Parties({ refuse });
    await parties.connect();
    const { clients } = await parties.store.read();
    refuse.redeem.push(refusal('invalid_client', {}, 401));
    const error = await parties.fails({ client: { id: 'app', secret: 'a-wrong-one' } });
    expect(error.code).toBe('invalid_client');
    expect((await parties.store.read()).clients).toEqual(clients);
    // Whatever else keeps it from being tried, such as a provider that says no.
    refuse.exchange.push(refusal('access_denied'));
    await parties.fails({ client: { id: 'app', secret: 'an-untried-one' } });
    expect((await parties.store.read()).clients).toEqual(clients);
    const outcome = await parties.connect({ client: { id: 'app', secret: 'a-newer-one' } });
    expect(outcome).toMatchObject({ status: 'connected', already: false });
    expect((await parties.store.read()).clients?.[0]?.secret?.reveal()).toBe('a-newer-one');
  });

  it('keeps the secret that the provider took when it refuses another by code, and the one of a page at once', async () => {
    const device: Response[] = [];
    const parties = new Parties({
      idpMetadata: { device_authorization_endpoint: `${IDP}/device` },
    });
    parties.web.on(`POST ${IDP}/device`, () => device.shift() ?? new Response(DEVICE));
    const open = (secret: string | undefined, flow: 'browser' | 'device') =>
      parties.agent.providerLogin({ provider: IDP, client: { id: 'app', secret }, flow });
    const signIn = async (secret: string) => {
      const login = await open(secret, 'browser');
      parties.links.push(new URL(String(login.ceremony.verificationUri)));
      return login.wait();
    };
    const secret = async () => (await parties.store.read()).clients?.[0]?.secret?.reveal();
    await signIn('idp-secret');
    device.push(refusal('invalid_client', {}, 401));
    expect((await failure(open('a-wrong-one', 'device'))).code).toBe('invalid_client');
    expect(await secret()).toBe('idp-secret');
    await open('of-a-device', 'device');
    expect(await secret()).toBe('of-a-device');
    // Nobody waits here for its answer: another process goes on with it, by what is kept.
    await open('of-a-page', 'browser');
    expect(await secret()).toBe('of-a-page');
  });

  it('says of a client without a secret at the provider that the one given went to the service', async () => {
    const parties = new Parties({ refuse: { exchange: [refusal('invalid_client', {}, 401)] } });
    expect((await parties.fails()).hint).toContain('went to the service alone');
  });

  it.each<[string, Says]>([
    ['RAS', { rasMetadata: { issuer: 'https://evil.example' } }],
    ['RAS by a final slash', { rasMetadata: { issuer: `${RAS}/` } }],
    ['IdP', { idpMetadata: { issuer: 'https://evil.example' } }],
  ])('sends nothing to a %s whose metadata is of another issuer (EMA-98)', async (_, says) => {
    const parties = new Parties(says);
    expect((await parties.fails()).code).toBe('issuer_mismatch');
    expect([...parties.forms('idp'), ...parties.forms('ras'), ...parties.links]).toEqual([]);
  });

  it.each<[string, Says['redirect']]>([
    ['a wrong state', { state: 'another' }],
    ['no state', { state: undefined }],
    ['a wrong iss', { iss: 'https://evil.example' }],
    ['an iss with a final slash', { iss: `${IDP}/` }],
    ['no iss where it is announced', { iss: undefined }],
  ])('does not use the code of a redirect with %s (EMA-99)', async (_, redirect) => {
    const parties = new Parties({ redirect });
    expect((await parties.fails()).code).toBe('sign_in_mismatch');
    expect(parties.forms('idp')).toEqual([]);
    expect(parties.loopback.ended).toEqual(['failed']);
    expect((await parties.store.read()).pageSignIns).toEqual([]);
  });

  it.each<[string, Says]>([
    ['a wrong nonce (EMA-99)', { idToken: { nonce: 'another' } }],
    ['no nonce (EMA-99)', { idToken: { nonce: undefined } }],
    ['a wrong aud (EMA-101)', { idToken: { aud: 'another' } }],
    ['several aud without azp (EMA-101)', { idToken: { aud: ['app', 'another'] } }],
    ['a wrong azp (EMA-101)', { idToken: { azp: 'another' } }],
    ['a wrong iss (EMA-101)', { idToken: { iss: 'https://evil.example' } }],
    ['a key of somebody else (EMA-101)', { idTokenKey: 'foreign' }],
    ['a wrong at_hash (EMA-101)', { idToken: { at_hash: HALF_HASH_OF_ANOTHER } }],
    ['its end behind it (EMA-101)', { idToken: { exp: 1 } }],
    ['no exp (EMA-101)', { idToken: { exp: undefined } }],
    ['an iat to come (EMA-101)', { idToken: { iat: 4_000_000_000 } }],
    ['no keys published (EMA-101)', { idpMetadata: { jwks_uri: undefined } }],
  ])('exchanges no ID token with %s', async (_, says) => {
    const parties = new Parties(says);
    expect((await parties.fails()).code).toBe('bad_id_token');
    expect(parties.grants('idp')).toEqual(['authorization_code']);
    expect((await parties.store.read()).providers).toEqual([]);
  });

  it('shows the challenge alone in the link, and the verifier to the token endpoint alone (EMA-100)', async () => {
    const parties = new Parties();
    await parties.connect();
    const verifier = parties.forms('idp')[0]?.['code_verifier'] ?? '';
    expect(verifier.length).toBeGreaterThanOrEqual(43);
    expect(parties.links[0]?.searchParams.get('code_challenge_method')).toBe('S256');
    const urls = parties.web.requests.map(({ url }) => url);
    expect([...urls, parties.links[0]?.href].join(' ')).not.toContain(verifier);
  });

  it.each([[undefined], [['plain']]])(
    'sends nobody to a provider that offers PKCE by %s (EMA-100)',
    async (methods) => {
      const parties = new Parties({ idpMetadata: { code_challenge_methods_supported: methods } });
      expect((await parties.fails()).code).toBe('no_pkce');
      expect(parties.forms('idp')).toEqual([]);
    },
  );

  it('names issuer and resource as they are published, without a final slash more (EMA-102)', async () => {
    const parties = new Parties({
      prm: { resource: 'https://mcp.example' },
      idJag: { resource: 'https://mcp.example' },
    });
    await parties.connect();
    expect(parties.forms('idp')[1]).toMatchObject({
      audience: RAS,
      resource: 'https://mcp.example',
    });
    expect(parties.forms('ras')[0]).toMatchObject({ resource: 'https://mcp.example' });
  });

  it.each<[string, Says]>([
    [
      'an issued_token_type of access tokens (EMA-103)',
      { exchange: { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } },
    ],
    ['another aud (EMA-104)', { idJag: { aud: 'https://evil.example' } }],
    ['two aud (EMA-104)', { idJag: { aud: [RAS, 'https://evil.example'] } }],
    ['another resource (EMA-104)', { idJag: { resource: 'https://evil.example' } }],
    ['a cnf that nobody asked for (EMA-104)', { idJag: { cnf: { jkt: 'x' } } }],
    ['another client_id (EMA-104)', { idJag: { client_id: 'another' } }],
    ['no client_id (EMA-104)', { idJag: { client_id: undefined } }],
  ])('redeems nothing that comes with %s', async (_, says) => {
    const parties = new Parties(says);
    expect(['bad_answer', 'client_mismatch']).toContain((await parties.fails()).code);
    expect([parties.forms('ras'), parties.calls]).toEqual([[], []]);
  });

  it('shows what a client has at one server to that server alone (EMA-105)', async () => {
    const parties = new Parties(
      {
        idToken: { aud: 'app-there' },
        rasMetadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      },
      { clients: [{ issuer: IDP, id: 'app-there', secret: 'idp secret:%' }] },
    );
    await parties.connect();
    const basic = `Basic ${Buffer.from('app-there:idp+secret%3A%25').toString('base64')}`;
    const sentTo = (host: string) =>
      parties.web.requests
        .filter(({ method, url }) => method === 'POST' && url.startsWith(host))
        .map(({ body, headers }) => [
          headers['authorization'],
          new URLSearchParams(body).get('client_secret'),
        ]);
    expect(sentTo(IDP)).toEqual([
      [basic, null],
      [basic, null],
    ]);
    expect(sentTo(RAS)).toEqual([[undefined, 'ras-secret']]);
    // What the agent was made with is not stored; what was given for the service is.
    expect((await parties.store.read()).clients?.map(({ issuer }) => issuer)).toEqual([RAS]);
  });

  it('signs for one server with a key, once each time', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const parties = new Parties({
      rasMetadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    });
    await parties.connect({ client: { id: 'app', key } });
    const claims = decodeJwt(parties.forms('ras')[0]?.['client_assertion'] ?? '');
    expect(claims).toMatchObject({ iss: 'app', sub: 'app', aud: RAS, jti: expect.any(String) });
  });

  it('asks nobody to sign in for a server that takes nothing which the client has', async () => {
    const parties = new Parties({
      rasMetadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    });
    const { code, next } = await parties.fails();
    expect([code, next?.args]).toEqual([
      'client_auth_missing',
      [MCP, '--client-id', 'app', '--client-secret', '@FILE'],
    ]);
    expect(parties.links).toEqual([]);
  });

  it('gets each token by a new ID-JAG, and the user is not asked (EMA-106)', async () => {
    const parties = new Parties();
    await parties.connect();
    parties.clock.advance(11 * 60_000);
    await parties.agent.call(MCP);
    const sent = parties.forms('ras').map(({ assertion }) => assertion);
    expect([sent.length, new Set(sent).size, parties.links.length]).toEqual([2, 2, 1]);
  });

  it('redeems a new ID-JAG after an answer that was lost or a 503 (EMA-106)', async () => {
    const parties = new Parties({
      refuse: { redeem: [refusal('temporarily_unavailable', {}, 503)] },
    });
    expect((await parties.connect()).status).toBe('connected');
    const sent = parties.forms('ras').map(({ assertion }) => assertion);
    expect([sent.length, new Set(sent).size]).toEqual([2, 2]);
  });

  it('renews an ID token that is no longer taken, once, by the refresh token, which it keeps anew (EMA-107)', async () => {
    const parties = new Parties({
      signIn: { refresh_token: 'refresh-0' },
      refuse: { exchange: [refusal('invalid_grant')] },
    });
    await parties.connect();
    expect(parties.grants('idp')).toEqual([
      'authorization_code',
      'token-exchange',
      'refresh_token',
      'token-exchange',
    ]);
    const [session] = (await parties.store.read()).providers;
    expect(session?.refresh?.reveal()).toMatch(/^refresh-[1-9]/);
  });

  it('renews an expired ID token before it asks the user, and takes none of another user (EMA-107)', async () => {
    const parties = new Parties({ signIn: { refresh_token: 'refresh-0' } });
    await parties.connect();
    parties.clock.advance(2 * 3600_000);
    await parties.connect();
    expect([
      parties.links.length,
      parties.grants('idp').filter((one) => one === 'refresh_token'),
    ]).toEqual([1, ['refresh_token']]);
    parties.clock.advance(2 * 3600_000);
    parties.says.refreshed = { sub: 'mallory' };
    expect((await parties.fails()).code).toBe('bad_id_token');
  });

  it('has the user sign in again where the ID token is refused without a refresh token, and no more than that (EMA-107)', async () => {
    const parties = new Parties({ refuse: { exchange: [refusal('invalid_grant')] } });
    expect((await parties.connect()).status).toBe('connected');
    expect(parties.links.length).toBe(2);
  });

  it('has the user sign in as the provider asks: by age and by acr_values', async () => {
    const parties = new Parties({
      refuse: {
        exchange: [refusal('insufficient_user_authentication', { max_age: 0, acr_values: 'mfa' })],
      },
    });
    expect((await parties.connect()).status).toBe('connected');
    const [, second] = parties.links;
    expect([second?.searchParams.get('max_age'), second?.searchParams.get('acr_values')]).toEqual([
      '0',
      'mfa',
    ]);
  });

  it('asks for old and new scopes together, and calls three times at most (EMA-108)', async () => {
    const parties = new Parties({
      refuse: { call: Array.from({ length: 9 }, () => tooNarrow('write')) },
    });
    expect((await parties.fails()).code).toBe('insufficient_scope');
    expect(parties.calls.length).toBeLessThanOrEqual(3);
    expect(
      parties
        .forms('idp')
        .map(({ scope }) => scope)
        .slice(1),
    ).toEqual(['read', 'read write', 'read write']);
  });

  it('ends where provider or service deny, and asks nobody again', async () => {
    for (const refuse of [
      { exchange: [refusal('access_denied')] },
      { redeem: [refusal('access_denied')] },
    ]) {
      const parties = new Parties({ refuse });
      const { code, retryable } = await parties.fails();
      expect([code, retryable, parties.links.length]).toEqual(['access_denied', false, 1]);
    }
  });

  it('writes no secret into its log, its errors or any address (EMA-109)', async () => {
    const parties = new Parties({
      signIn: { refresh_token: 'refresh-secret' },
      refuse: { redeem: [refusal('invalid_grant', { error_description: 'no' })] },
    });
    const error = await parties.fails();
    const sent = [...parties.forms('idp'), ...parties.forms('ras')];
    const secrets = [
      'ras-secret',
      'refresh-secret',
      'the-code',
      ...sent.flatMap(({ assertion, subject_token, code_verifier }) => [
        assertion,
        subject_token,
        code_verifier,
      ]),
    ];
    const seen = JSON.stringify([
      error,
      error.message,
      error.hint,
      error.next,
      parties.log.entries,
      parties.web.requests.map(({ url }) => url),
    ]);
    for (const secret of secrets) if (secret) expect(seen).not.toContain(secret);
  });

  it.each(['http://id.example', 'http://10.0.0.1'])(
    'does not sign in at %s, which anybody on the way reads (EMA-110)',
    async (provider) => {
      const parties = new Parties();
      expect((await parties.fails({ provider })).code).toBe('bad_address');
      expect(parties.web.requests.some(({ url }) => url.startsWith(provider))).toBe(false);
    },
  );
});
