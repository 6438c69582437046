import { describe, expect, it } from 'vitest';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  jwt,
  lost,
  pending,
  refusal,
  SERVICE,
} from './support/bench.ts';
import { html, json, members, type Reply, type SeenRequest } from './support/fake-web.ts';

const PROVIDER = 'https://provider.example';
const AT = {
  metadata: `GET ${PROVIDER}/.well-known/oauth-authorization-server`,
  device: `POST ${PROVIDER}/oauth2/device_authorization`,
  token: `POST ${PROVIDER}/oauth2/token`,
} as const;

const metadata = (over: object = {}) => ({
  issuer: PROVIDER,
  token_endpoint: `${PROVIDER}/oauth2/token`,
  device_authorization_endpoint: `${PROVIDER}/oauth2/device_authorization`,
  ...over,
});
const device = (over: object = {}) => ({
  device_code: 'device-1',
  user_code: 'BCDF-GHJK',
  verification_uri: `${PROVIDER}/device`,
  expires_in: 900,
  interval: 5,
  ...over,
});
const START = Date.UTC(2026, 0, 1) / 1000;
const idToken = (over: object = {}) =>
  jwt(
    {
      iss: PROVIDER,
      aud: 'agent-auth',
      sub: 'user-1',
      email: 'alice@example.com',
      exp: START + 3600,
      ...over,
    },
    { typ: 'JWT', alg: 'ES256' },
  );
const session = (over: object = {}) => ({
  access_token: 'not-used',
  token_type: 'Bearer',
  id_token: idToken(),
  ...over,
});

let serial = 0;
function minted(over: object = {}, claims: object = {}): object {
  serial += 1;
  return {
    access_token: jwt({
      iss: PROVIDER,
      aud: SERVICE,
      jti: `jti-${serial}`,
      exp: START + 300,
      email: 'alice@example.com',
      ...claims,
    }),
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    token_type: 'N_A',
    expires_in: 300,
    ...over,
  };
}

function bench(...tokens: [Reply, ...Reply[]]): Bench {
  const made = new Bench();
  made.web
    .on(AT.metadata, json(metadata()))
    .on(AT.device, json(device()))
    .on(AT.token, ...tokens);
  return made;
}

/** Signed in at the provider, whose token endpoint then answers this. */
async function signedIn(...tokens: [Reply, ...Reply[]]): Promise<Bench> {
  const made = bench(json(session()));
  await (await made.agent.providerLogin({ provider: PROVIDER })).wait();
  made.web.on(AT.token, ...tokens);
  return made;
}

const login = ({ agent }: Bench) => agent.providerLogin({ provider: PROVIDER });

describe('signing in at a provider', () => {
  it('shows a code, polls as a public client, and keeps the ID token', async () => {
    const made = bench(pending(), json(session()));
    const started = await login(made);
    expect(started.ceremony.userCode.reveal()).toBe('BCDF-GHJK');
    expect(started.ceremony).toMatchObject({ openable: true, interval: 5000 });
    expect(await started.wait()).toMatchObject({ status: 'signed_in' });
    expect(members(made.web.sent(AT.device)[0])['client_id']).toBe('agent-auth');
    const polls = made.web.sent(AT.token);
    expect(polls).toHaveLength(2);
    expect(members(polls[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device-1',
      client_id: 'agent-auth',
    });
    expect((await made.store.read()).providers).toMatchObject([
      { issuer: PROVIDER, account: 'alice@example.com', expiresAt: (START + 3600) * 1000 },
    ]);
  });

  it('waits one interval first, and longer after slow_down', async () => {
    const made = bench(refusal('slow_down'), json(session()));
    await (await login(made)).wait();
    expect(made.sleeps).toEqual([5000, 10_000]);
  });

  it.each([
    ['access_denied', 'denied'],
    ['expired_token', 'expired'],
  ])('ends at %s as %s', async (code, status) => {
    const made = bench(refusal(code));
    expect((await (await login(made)).wait()).status).toBe(status);
    expect((await made.store.read()).providers).toEqual([]);
  });

  it('stops at the end of the code', async () => {
    const made = bench(pending());
    expect((await (await login(made)).wait()).status).toBe('expired');
    expect(made.clock.now()).toBe((START + 900) * 1000);
  });

  it('says of a wait that is given up that no poll was answered', async () => {
    const made = bench(lost());
    const started = await login(made);
    expect(await started.wait({ timeout: 20_000 })).toMatchObject({
      status: 'pending',
      unanswered: { polls: 2, status: null },
    });
  });

  it('is resumed by another process, with the interval that slow_down left it', async () => {
    const made = bench(refusal('slow_down'), pending(), json(session()));
    const started = await login(made);
    expect((await started.wait({ timeout: 7000 })).status).toBe('pending');
    made.sleeps.length = 0;
    const resumed = await made.another().resumeProviderLogin();
    if (resumed.status !== 'open') throw new Error(resumed.status);
    const { ceremony } = resumed.login;
    expect(ceremony.kind === 'type_there' && ceremony.userCode.reveal()).toBe('BCDF-GHJK');
    expect((await resumed.login.wait()).status).toBe('signed_in');
    // Eight of ten seconds were left when the first wait was given up.
    expect(made.sleeps).toEqual([8000, 10_000]);
    expect((await made.store.read()).signIns).toEqual([]);
  });

  it('asks once more after the end of the code: its user may have been in time', async () => {
    const made = bench(json(session()));
    await login(made);
    made.clock.advance(20 * 60_000);
    const resumed = await made.another().resumeProviderLogin({ provider: PROVIDER });
    if (resumed.status !== 'open') throw new Error(resumed.status);
    expect((await resumed.login.wait()).status).toBe('signed_in');
    expect(made.web.sent(AT.token)).toHaveLength(1);
  });

  it('ends a wait whose sign-in another process collected', async () => {
    const made = bench(pending());
    const started = await login(made);
    const other = await made.another().resumeProviderLogin();
    if (other.status !== 'open') throw new Error(other.status);
    made.web.on(AT.token, json(session()));
    expect((await other.login.wait()).status).toBe('signed_in');
    made.web.on(AT.token, refusal('invalid_grant'));
    expect((await started.wait()).status).toBe('signed_in');
  });

  it('survives a lost connection and can be interrupted', async () => {
    const controller = new AbortController();
    const made = bench(lost(), pending());
    const started = await login(made);
    const events: string[] = [];
    const end = started.wait({
      signal: controller.signal,
      onEvent: ({ type }) => {
        events.push(type);
        if (events.length === 4) controller.abort();
      },
    });
    expect((await end).status).toBe('aborted');
    expect(events).toContain('trouble');
  });

  it.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'somebody-else' }],
    ['for nobody', { aud: undefined }],
  ])('takes no ID token %s', async (_what, claims) => {
    const made = bench(json(session({ id_token: idToken(claims) })));
    expect((await failure((await login(made)).wait())).code).toBe('bad_answer');
    expect((await made.store.read()).providers).toEqual([]);
  });

  it.each([
    ['with a code of control characters', device({ user_code: '\u001b[2J' }), 'bad_answer'],
    ['with interval -5', device({ interval: -5 }), 'bad_answer'],
    ['without a device code', device({ device_code: undefined }), 'bad_answer'],
  ])('refuses an answer %s', async (_what, answer, code) => {
    const made = bench(pending());
    made.web.on(AT.device, json(answer));
    expect((await failure(login(made))).code).toBe(code);
  });

  it.each([
    ['is of another issuer', metadata({ issuer: 'https://evil.example' }), 'issuer_mismatch'],
    [
      'has its token endpoint elsewhere',
      metadata({ token_endpoint: 'https://evil.example/t' }),
      'foreign_origin',
    ],
    [
      'offers no device sign-in',
      metadata({ device_authorization_endpoint: undefined }),
      'not_offered',
    ],
    ['has no token endpoint', metadata({ token_endpoint: undefined }), 'metadata_invalid'],
  ])('refuses a provider whose metadata %s', async (_what, document, code) => {
    const made = bench(pending());
    made.web.on(AT.metadata, json(document));
    expect((await failure(login(made))).code).toBe(code);
  });
});

const forService = { audience: SERVICE };

describe('the metadata of a provider', () => {
  const OPENID = '/.well-known/openid-configuration';

  it.each([
    ['', `${PROVIDER}${OPENID}`],
    ['/realms/one', `${PROVIDER}/realms/one${OPENID}`],
    ['/realms/one', `${PROVIDER}${OPENID}/realms/one`],
  ])('may lie where OpenID Connect has it, strictly too: %s', async (path, place) => {
    const made = new Bench({ strict: true });
    const issuer = PROVIDER + path;
    made.web.on(`GET ${place}`, json(metadata({ issuer }))).on(AT.device, json(device()));
    expect((await made.agent.providerLogin({ provider: issuer })).provider).toBe(issuer);
  });

  it('is looked for there last, and must be of that issuer there too', async () => {
    const made = new Bench();
    made.web.on(`GET ${PROVIDER}${OPENID}`, json(metadata({ issuer: 'https://evil.example' })));
    expect((await failure(login(made))).code).toBe('issuer_mismatch');
    expect(made.web.requests.map(({ url }) => url)).toEqual([
      `${PROVIDER}/.well-known/oauth-authorization-server`,
      `${PROVIDER}${OPENID}`,
    ]);
  });

  it.each([PROVIDER, `${PROVIDER}/`])('is of %s, which was typed with a slash', async (issuer) => {
    const made = new Bench({ strict: true });
    made.web.on(AT.metadata, json(metadata({ issuer }))).on(AT.device, json(device()));
    expect((await made.agent.providerLogin({ provider: `${PROVIDER}/` })).provider).toBe(issuer);
  });
});

describe('minting', () => {
  it('exchanges the ID token for an ID-JAG of one audience, and stores nothing', async () => {
    const answer = minted();
    const made = await signedIn(json(answer));
    const before = await made.store.read();
    const outcome = await made.agent.providerMint({
      ...forService,
      resource: SERVICE,
      scopes: ['api.read', 'api.write'],
    });
    expect(members(made.web.sent(AT.token).at(-1))).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: SERVICE,
      resource: SERVICE,
      scope: 'api.read api.write',
      subject_token: idToken(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'agent-auth',
    });
    if (outcome.status !== 'minted') throw new Error(outcome.status);
    expect(outcome.assertion.reveal()).toBe((answer as { access_token: string }).access_token);
    expect(await made.store.read()).toEqual(before);
  });

  it('leads to the provider, and says what it was asked for, where another audience came', async () => {
    const made = await signedIn(json(minted({}, { aud: 'https://other.example' })));
    const error = await failure(made.agent.providerMint(forService));
    expect(error.hint).toContain(SERVICE);
    expect(error.next).toMatchObject({ command: 'doctor', args: [PROVIDER] });
  });

  it.each([
    ['calls it a bearer token', minted({ token_type: 'Bearer' }), 'unknown_token_type'],
    ['issues another type', minted({ issued_token_type: 'urn:x' }), 'bad_answer'],
    ['names another audience', minted({}, { aud: 'https://other.example' }), 'bad_answer'],
    ['names two audiences', minted({}, { aud: [SERVICE, 'https://other.example'] }), 'bad_answer'],
    ['sends no JWT', minted({ access_token: 'opaque' }), 'bad_answer'],
  ])('refuses an answer that %s', async (_what, answer, code) => {
    const made = await signedIn(json(answer));
    expect((await failure(made.agent.providerMint(forService))).code).toBe(code);
  });

  const RESOURCE = `${SERVICE}/api`;
  const claims = { aud: SERVICE, client_id: 'agent-auth', resource: RESOURCE };

  it.each([
    ['another resource', claims, { ...claims, resource: 'https://other.example/api' }],
    ['one resource more', claims, { ...claims, resource: [RESOURCE, `${SERVICE}/other`] }],
    ['another client', claims, { ...claims, client_id: 'another-client' }],
  ])('hands on no ID-JAG for %s than it asked for', async (_what, right, wrong) => {
    const ask = async (payload: object) => {
      const made = await signedIn(json(minted({}, payload)));
      return made.agent.providerMint({ ...forService, resource: RESOURCE });
    };
    expect(await ask(right)).toMatchObject({ status: 'minted' });
    expect(await failure(ask(wrong))).toMatchObject({ code: 'bad_answer' });
  });

  it('hands on no JWT that does not call itself an ID-JAG', async () => {
    for (const header of [{ alg: 'ES256' }, { alg: 'ES256', typ: 'JWT' }]) {
      const made = await signedIn(json(minted({ access_token: jwt(claims, header) })));
      const error = await failure(made.agent.providerMint(forService));
      expect(error.message).toContain('its type is not oauth-id-jag+jwt');
    }
  });

  it('leads to an ID-JAG from elsewhere where the provider signs in but mints nothing', async () => {
    const made = await signedIn(refusal('unsupported_grant_type'));
    const { next } = await failure(made.agent.providerMint(forService));
    expect(next).toMatchObject({
      command: 'register',
      args: [forService.audience, '--assertion', '@FILE'],
      needs: ['@FILE'],
    });
  });

  const consent = (over: object = {}) =>
    refusal('consent_required', 400, { consent_uri: `${PROVIDER}/consent?a=1`, ...over });

  it('says where the user agrees first', async () => {
    const made = await signedIn(consent());
    expect(await made.agent.providerMint(forService)).toEqual({
      status: 'consent_required',
      provider: PROVIDER,
      audience: SERVICE,
      consentUri: `${PROVIDER}/consent?a=1`,
      openable: true,
      remaining: null,
    });
    const foreign = await signedIn(consent({ consent_uri: 'https://evil.example/' }));
    expect(await foreign.agent.providerConsent(forService)).toMatchObject({ openable: false });
  });

  it.each([undefined, 7, 'javascript:alert(1)'])('refuses the consent_uri %j', async (uri) => {
    const made = await signedIn(consent({ consent_uri: uri }));
    expect((await failure(made.agent.providerMint(forService))).code).toBe('bad_answer');
  });

  it('asks again every five seconds until the user has agreed', async () => {
    const made = await signedIn(consent(), consent(), json(minted()));
    made.sleeps.length = 0;
    const shown: string[] = [];
    const outcome = await made.agent.providerMint({
      ...forService,
      onConsentRequired: ({ consentUri }) => shown.push(consentUri),
    });
    expect(outcome.status).toBe('minted');
    expect(shown).toHaveLength(1);
    expect(made.sleeps).toEqual([5000, 5000]);
  });

  it('asks the token endpoint alone, for as long as the page waits', async () => {
    const made = await signedIn(consent({ expires_in: 900 }));
    const metadata = made.web.sent(AT.metadata).length;
    const outcome = await made.agent.providerConsent({ ...forService, onConsentRequired() {} });
    expect(outcome).toMatchObject({ status: 'consent_required', remaining: 900_000 });
    expect(made.web.sent(AT.token)).toHaveLength(1 + 1 + 180);
    expect(made.web.sent(AT.metadata)).toHaveLength(metadata + 1);
  });

  it('stops asking at the time limit, and when interrupted', async () => {
    const made = await signedIn(consent());
    const onConsentRequired = () => {};
    const waiting = { ...forService, onConsentRequired, timeout: 12_000 };
    expect((await made.agent.providerConsent(waiting)).status).toBe('consent_required');
    expect(made.web.sent(AT.token)).toHaveLength(1 + 3);
    const controller = new AbortController();
    made.meanwhile = () => controller.abort();
    const { signal } = controller;
    expect((await made.agent.providerMint({ ...waiting, signal })).status).toBe('aborted');
  });

  it('learns that the user has agreed', async () => {
    const made = await signedIn(json(minted()));
    expect(await made.agent.providerConsent(forService)).toEqual({
      status: 'given',
      provider: PROVIDER,
      audience: SERVICE,
    });
  });

  it.each([
    ['insufficient_user_authentication', 400, { max_age: 300 }, 300],
    ['invalid_grant', 400, {}, undefined],
  ])('wants a fresh sign-in at %s', async (code, status, over, maxAge) => {
    const made = await signedIn(refusal(code, status, over));
    expect(await made.agent.providerMint(forService)).toEqual({
      status: 'login_required',
      provider: PROVIDER,
      askedBy: 'provider',
      maxAge,
    });
  });

  it('wants a sign-in without a session, or with one that has ended', async () => {
    const made = await signedIn(json(minted()));
    const second = 'https://second.example';
    made.web.on(
      `GET ${second}/.well-known/oauth-authorization-server`,
      json({ issuer: second, token_endpoint: `${second}/oauth2/token` }),
    );
    expect(await made.agent.providerMint({ ...forService, provider: second })).toMatchObject({
      status: 'login_required',
      askedBy: 'agent',
    });
    made.clock.advance(3_600_000);
    const sent = made.web.sent(AT.token).length;
    expect(await made.agent.providerMint(forService)).toMatchObject({ status: 'login_required' });
    expect(made.web.sent(AT.token)).toHaveLength(sent);
  });

  it('needs to know which provider', async () => {
    expect(await failure(bench(pending()).agent.providerMint(forService))).toMatchObject({
      code: 'provider_unknown',
      next: { command: 'provider login' },
    });
  });

  it.each([
    ['invalid_target', 'refused'],
    ['temporarily_unavailable', 'network'],
  ])('passes on %s as %s', async (code, kind) => {
    const made = await signedIn(refusal(code, kind === 'network' ? 503 : 400));
    expect(await failure(made.agent.providerMint(forService))).toMatchObject({ code, kind });
  });
});

describe('registering through a provider', () => {
  const request = { service: SERVICE, type: 'identity_assertion', provider: PROVIDER } as const;
  const assertions = ({ web }: Bench) =>
    web.sent(ENDPOINT.identity).map((each) => members(each)['assertion']);
  const mints = () => json(minted());

  it('mints for this service and registers with that', async () => {
    const made = await signedIn(mints);
    made.web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
    expect(await made.agent.register({ ...request, scopes: ['api.read'] })).toMatchObject({
      status: 'registered',
      registration: { provider: PROVIDER, email: 'alice@example.com', claimed: true },
    });
    expect(members(made.web.sent(AT.token).at(-1))).toMatchObject({
      audience: SERVICE,
      resource: SERVICE,
      scope: 'api.read',
    });
  });

  it.each<[string, () => Reply]>([
    ['a lost answer', () => lost()],
    ['replay_detected', () => refusal('replay_detected')],
    ['expired', () => refusal('expired')],
  ])('mints again after %s, and sends no ID-JAG twice', async (_what, trouble) => {
    const made = await signedIn(mints);
    made.web.on(ENDPOINT.identity, trouble(), json(ANSWER.identityAssertion()));
    expect((await made.agent.register(request)).status).toBe('registered');
    expect(new Set(assertions(made)).size).toBe(2);
  });

  it('gives up after three', async () => {
    const made = await signedIn(mints);
    made.web.on(ENDPOINT.identity, refusal('replay_detected'));
    expect((await failure(made.agent.register(request))).code).toBe('replay_detected');
    expect(assertions(made)).toHaveLength(3);
  });

  it('sends the same one again after a 5xx, which took nothing', async () => {
    const made = await signedIn(mints);
    made.web.on(ENDPOINT.identity, html(503), json(ANSWER.identityAssertion()));
    await made.agent.register(request);
    expect(new Set(assertions(made)).size).toBe(1);
  });

  it('hands on what the provider wants of the user', async () => {
    const made = await signedIn(
      refusal('consent_required', 400, { consent_uri: `${PROVIDER}/consent` }),
      refusal('insufficient_user_authentication'),
    );
    expect((await made.agent.register(request)).status).toBe('consent_required');
    expect((await made.agent.register(request)).status).toBe('login_required');
    expect(made.web.sent(ENDPOINT.identity)).toEqual([]);
  });

  describe('and a call that is answered 401', () => {
    const bearer = ({ headers }: SeenRequest) => headers['authorization'];

    async function registered(): Promise<Bench> {
      const made = await signedIn(mints);
      made.web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
      await made.agent.register(request);
      return made;
    }

    it('mints and registers once more', async () => {
      const made = await registered();
      made.web.on(
        ENDPOINT.token,
        refusal('invalid_grant'),
        json(ANSWER.token({ access_token: 'at_9' })),
      );
      made.web.on(ENDPOINT.resource, (each) =>
        bearer(each) === 'Bearer at_9' ? json({}) : new Response(null, { status: 401 }),
      );
      expect((await made.agent.call('/api/resource')).status).toBe(200);
      expect(assertions(made)).toHaveLength(2);
      expect((await made.stored()).ended).toBeNull();
    });

    it('does so only once', async () => {
      const made = await registered();
      made.web.on(ENDPOINT.resource, new Response(null, { status: 401 }));
      expect(await failure(made.agent.call('/api/resource'))).toMatchObject({
        code: 'token_refused',
        next: { command: 'register', args: [SERVICE, '--provider', PROVIDER, '--new'] },
      });
      expect(assertions(made)).toHaveLength(2);
      expect(made.web.sent(ENDPOINT.resource)).toHaveLength(3);
    });

    it.each([
      ['insufficient_user_authentication', 'login_needed', 'provider login'],
      ['consent_required', 'consent_needed', 'provider consent'],
    ])('stops at %s with the command', async (wire, code, command) => {
      const made = await registered();
      made.web.on(ENDPOINT.resource, new Response(null, { status: 401 }));
      made.web.on(AT.token, refusal(wire, 400, { consent_uri: `${PROVIDER}/consent` }));
      expect(await failure(made.agent.call('/api/resource'))).toMatchObject({
        code,
        kind: 'not_registered',
        next: { command },
      });
    });

    it('does not end an attempt that the user is busy with', async () => {
      const made = await signedIn(mints);
      const interaction = {
        error: 'interaction_required',
        ...ANSWER.serviceAuth({ registration_type: 'identity_assertion' }),
      };
      made.web.on(ENDPOINT.identity, json(interaction, 401));
      await made.agent.register(request);
      made.web.on(ENDPOINT.token, pending());
      expect((await failure(made.agent.call('/api/resource'))).code).toBe('claim_pending');
      expect(assertions(made)).toHaveLength(1);
    });

    it('stays out of it when nobody is signed in', async () => {
      const made = await registered();
      await made.store.update((current) => [{ ...current, providers: [] }, undefined]);
      made.web.on(ENDPOINT.resource, new Response(null, { status: 401 }));
      expect((await failure(made.agent.call('/api/resource'))).code).toBe('token_refused');
      expect(assertions(made)).toHaveLength(1);
    });
  });
});
