import { describe, expect, it } from 'vitest';
import { Bench, failure, jwt, lost, refusal, SERVICE } from './support/bench.ts';
import { html, json, members, type Reply } from './support/fake-web.ts';

const PROVIDER = 'https://provider.example';
const METADATA = `GET ${PROVIDER}/.well-known/oauth-authorization-server`;
const TOKEN = `POST ${PROVIDER}/oauth2/token`;
const REVOKE = `POST ${PROVIDER}/oauth2/consents/revoke`;
const START = Date.UTC(2026, 0, 1) / 1000;

const metadata = (over: object = {}) => ({
  issuer: PROVIDER,
  token_endpoint: `${PROVIDER}/oauth2/token`,
  device_authorization_endpoint: `${PROVIDER}/oauth2/device_authorization`,
  consent_revocation_endpoint: `${PROVIDER}/oauth2/consents/revoke`,
  ...over,
});
const idToken = jwt({ iss: PROVIDER, aud: 'agent-auth', sub: 'user-1', exp: START + 3600 });
const answer = (over: object = {}) => ({
  audience: SERVICE,
  revoked: true,
  event: 'delivered',
  ...over,
});

/** Signed in at the provider, whose revocation endpoint then answers this. */
async function signedIn(...replies: [Reply, ...Reply[]]): Promise<Bench> {
  const made = new Bench();
  made.web
    .on(METADATA, json(metadata()))
    .on(
      `POST ${PROVIDER}/oauth2/device_authorization`,
      json({
        device_code: 'device-1',
        user_code: 'BCDF-GHJK',
        verification_uri: `${PROVIDER}/device`,
        expires_in: 900,
      }),
    )
    .on(TOKEN, json({ access_token: 'x', token_type: 'Bearer', id_token: idToken }))
    .on(REVOKE, ...replies);
  await (await made.agent.providerLogin({ provider: PROVIDER })).wait();
  return made;
}

const revoke = ({ agent }: Bench) => agent.providerRevoke({ audience: SERVICE });

describe('revoking a consent', () => {
  it('names the audience, and shows who is signed in as minting does', async () => {
    const made = await signedIn(json(answer()));
    expect(await revoke(made)).toEqual({
      status: 'revoked',
      provider: PROVIDER,
      audience: SERVICE,
      event: 'delivered',
      eventProblem: undefined,
    });
    expect(members(made.web.sent(REVOKE)[0])).toEqual({
      client_id: 'agent-auth',
      audience: SERVICE,
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });
  });

  it.each([
    [{ event: 'pending', event_problem: { code: 'network_refused' } }, 'revoked', undefined],
    [{ event: 'parked', event_problem: { code: 'invalid_key', status: 400 } }, 'revoked', 400],
    [{ event: 'none', revoked: false }, 'no_consent', undefined],
  ])('passes on %j', async (over, status, code) => {
    const outcome = await revoke(await signedIn(json(answer(over))));
    expect(outcome).toMatchObject({ status, event: over.event });
    if (outcome.status === 'login_required') throw new Error('It needs no sign-in.');
    expect(outcome.eventProblem?.status).toBe(code);
  });

  it.each([
    ['an unknown word', { event: 'maybe' }],
    ['a missing word', { event: undefined }],
    ['a reason that is none', { event: undefined, event_problem: 'no' }],
  ])('takes %s on whether the service was told for "not said"', async (_what, over) => {
    expect(await revoke(await signedIn(json(answer(over))))).toMatchObject({
      status: 'revoked',
      event: null,
      eventProblem: undefined,
    });
  });

  it('cleans the words of the provider (A-31)', async () => {
    const event_problem = { code: '\u001b[2Jboom\u202e', status: 400 };
    const outcome = await revoke(await signedIn(json(answer({ event: 'parked', event_problem }))));
    expect(outcome).toMatchObject({ eventProblem: { code: 'boom' } });
  });

  it('is tried again after a lost answer: twice is once', async () => {
    const made = await signedIn(lost(), html(503), json(answer({ revoked: false })));
    expect(await revoke(made)).toMatchObject({ status: 'no_consent', event: 'delivered' });
    expect(made.web.sent(REVOKE)).toHaveLength(3);
  });

  it.each([
    ['another audience', answer({ audience: 'https://other.example' })],
    ['no word on whether', answer({ revoked: undefined })],
    ['a list', []],
  ])('refuses an answer with %s', async (_what, body) => {
    expect((await failure(revoke(await signedIn(json(body))))).code).toBe('bad_answer');
  });

  it.each([
    ['invalid_grant', {}, undefined],
    ['insufficient_user_authentication', { max_age: 60 }, 60],
  ])('wants a sign-in at %s', async (code, over, maxAge) => {
    expect(await revoke(await signedIn(refusal(code, 400, over)))).toEqual({
      status: 'login_required',
      provider: PROVIDER,
      askedBy: 'provider',
      maxAge,
    });
  });

  it('wants a sign-in when the stored one has ended, and asks nobody', async () => {
    const made = await signedIn(json(answer()));
    made.clock.advance(3_600_000);
    expect(await revoke(made)).toMatchObject({ status: 'login_required', askedBy: 'agent' });
    expect(made.web.sent(REVOKE)).toEqual([]);
  });

  it('is done on the provider’s own pages where it has no endpoint for it', async () => {
    const made = await signedIn(json(answer()));
    made.web.on(METADATA, json(metadata({ consent_revocation_endpoint: undefined })));
    const error = await failure(revoke(made));
    expect([error.code, error.kind]).toEqual(['not_offered', 'refused']);
    expect(error.message).toBe(
      `${PROVIDER} offers no request that revokes a consent: the user revokes it on the provider's own pages.`,
    );
  });

  it('sends the ID token to no other origin', async () => {
    const made = await signedIn(json(answer()));
    made.web.on(
      METADATA,
      json(metadata({ consent_revocation_endpoint: 'https://evil.example/revoke' })),
    );
    expect((await failure(revoke(made))).code).toBe('foreign_origin');
  });
});

describe('a URL that is no provider', () => {
  const IS_IT = 'Check that the URL is that of the provider.';

  it.each<[string, Reply, string, string]>([
    [
      'has nothing there',
      new Response('nothing', { status: 404 }),
      'metadata_not_found',
      `${PROVIDER} is not an agent provider: it publishes no authorization server metadata.`,
    ],
    [
      'answers with a page',
      new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
      'bad_answer',
      `${PROVIDER} does not answer as an agent provider. The authorization server metadata (${PROVIDER}/.well-known/oauth-authorization-server) answered 200 with something that is not JSON.`,
    ],
    [
      'is a service',
      json({
        issuer: PROVIDER,
        token_endpoint: `${PROVIDER}/t`,
        agent_auth: { identity_endpoint: `${PROVIDER}/i` },
      }),
      'not_a_provider',
      `${PROVIDER} is a service that agents register at, not an agent provider.`,
    ],
    [
      'is another kind of authorization server',
      json({
        issuer: PROVIDER,
        token_endpoint: `${PROVIDER}/t`,
        grant_types_supported: ['authorization_code'],
      }),
      'not_a_provider',
      `${PROVIDER} is an authorization server, but not an agent provider: it mints no ID-JAGs (RFC 8693).`,
    ],
  ])('because it %s is said so by every call', async (_what, reply, code, message) => {
    const { agent, web } = new Bench();
    web.on(METADATA, reply);
    const provider = PROVIDER;
    const calls = [
      () => agent.providerLogin({ provider }),
      () => agent.providerConsent({ provider, audience: SERVICE }),
      () => agent.providerMint({ provider, audience: SERVICE }),
      () => agent.providerRevoke({ provider, audience: SERVICE }),
      () => agent.register({ service: SERVICE, type: 'identity_assertion', provider }),
    ];
    for (const call of calls) {
      const error = await failure(call());
      expect([error.code, error.message, error.hint]).toEqual([code, message, IS_IT]);
    }
  });
});

describe('a fresh sign-in', () => {
  it('is asked for with the names of OpenID Connect, and only when wanted', async () => {
    const made = await signedIn(json(answer()));
    const device = `POST ${PROVIDER}/oauth2/device_authorization`;
    await made.agent.providerLogin({ provider: PROVIDER, prompt: 'login', maxAge: 3600 });
    const [first, second] = made.web.sent(device).map(members);
    expect(first).toEqual({ client_id: 'agent-auth', scope: 'openid email' });
    expect(second).toEqual({ ...first, prompt: 'login', max_age: '3600' });
  });
});
