import { expect } from 'vitest';
import type { Json } from '../mock-service/harness.ts';
import type { Arena } from './arena.ts';
import { expectAllEnded, type Race } from './claim-races.ts';
import { AT_ONCE, having, mixed, taken, tally, times } from './tally.ts';

const ALICE = 'alice@example.com';
/** Of each kind; with the one before them not more than an hour admits. */
const MIXED = 25;

/** What races about ID-JAGs, events, tokens and limits. */
export const GRANT_RACES: Readonly<Record<string, Race>> = {
  'an ID-JAG is redeemed once': async (arena) => {
    const assertion = await arena.provider.idJag(newUser(arena));
    const answers = await Promise.all(times(AT_ONCE, () => arena.registerBy(assertion)));
    expect(tally(answers)).toEqual({ 200: 1, '400 replay_detected': AT_ONCE - 1 });
  },

  'the first ID-JAGs of a subject make one registration': async (arena) => {
    const user = newUser(arena);
    const idJags = await Promise.all(times(AT_ONCE, () => arena.provider.idJag(user)));
    const answers = await Promise.all(idJags.map((idJag) => arena.registerBy(idJag)));
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
    expect(new Set(answers.map(({ body }) => body['registration_id'])).size).toBe(1);
  },

  'the first ID-JAGs that name a new email make one account, the others ask for it': async (
    arena,
  ) => {
    const { email } = newUser(arena);
    const idJags = await Promise.all(
      times(AT_ONCE, () => arena.provider.idJag({ email, sub: arena.newName() })),
    );
    const answers = await Promise.all(idJags.map((idJag) => arena.registerBy(idJag)));
    expect(tally(answers)).toEqual({ 200: 1, '401 interaction_required': AT_ONCE - 1 });
  },

  'no token outlives the end of its registration': async (arena) => {
    const { body } = await taken(arena.register({ type: 'service_auth', login_hint: ALICE }));
    await arena.complete(body['registration_id']);
    const claimed = (await taken(arena.poll(body['claim_token']))).body;
    const { cookie, csrfToken } = await arena.visitor(ALICE);
    const fields = { registration_id: String(body['registration_id']), csrf_token: csrfToken };
    const headers = { cookie, origin: 'https://service.test', 'sec-fetch-site': 'same-origin' };
    const [ended, exchanged] = await mixed(
      [() => arena.form('/connections', fields, headers)],
      times(AT_ONCE - 1, () => () => arena.exchange(claimed['identity_assertion'])),
    );
    expect(tally(ended)).toEqual({ 303: 1 });
    await expectAllEnded(arena, exchanged);
    expect((await arena.call(claimed['access_token'])).status).toBe(401);
    expect((await arena.exchange(claimed['identity_assertion'])).status).toBe(400);
  },

  'a token that is revoked while it is used stays revoked': async (arena) => {
    const { body } = await taken(arena.register({ type: 'anonymous' }));
    const tokens = await Promise.all(
      times(AT_ONCE / 2, () => taken(arena.exchange(body['identity_assertion']))),
    );
    const names = tokens.map((answer) => String(answer.body['access_token']));
    // Of some the call comes first, of others the revocation.
    const pairs = await Promise.all(
      names.map(async (token, n) => {
        const early = n % 2 === 0 ? arena.call(token) : undefined;
        const revoked = arena.form('/oauth2/revoke', { token });
        return [await (early ?? arena.call(token)), await revoked] as const;
      }),
    );
    const [called, revoked] = [pairs.map(([call]) => call), pairs.map(([, revoke]) => revoke)];
    expect(tally(revoked)).toEqual({ 200: names.length });
    expect([...having(200, called), ...having(401, called)]).toHaveLength(names.length);
    const after = await Promise.all(names.map((token) => arena.call(token)));
    expect(tally(after)).toEqual({ '401 invalid_token': names.length });
    expect(await arena.audited('token.revoked', body['registration_id'])).toBe(names.length);
  },

  'a refresh token is traded once, and its copies end what came of it': async (arena) => {
    const { refreshToken } = await redeemed(arena);
    const trade = (token: unknown) =>
      arena.nested('/agent/identity', { type: 'refresh', refresh_token: token });
    const answers = await Promise.all(times(AT_ONCE, () => trade(refreshToken)));
    expect(tally(answers)).toEqual({ 200: 1, '401 invalid_refresh_token': AT_ONCE - 1 });
    for (const { body } of having(200, answers)) {
      const { assertion, refresh_token: next } = body['identity'] as Json;
      expect((await trade((next as Json)['value'])).status).toBe(401);
      expect(tally([await arena.exchange(assertion)])).toEqual({ '400 invalid_grant': 1 });
    }
  },

  'an event has one effect, and nothing older outlives it': async (arena) => {
    const user = newUser(arena);
    const { provider } = arena;
    const first = (await taken(arena.registerBy(await provider.idJag(user)))).body;
    const idJags = await Promise.all(times(45, () => provider.idJag(user)));
    const jti = arena.newName();
    const event = await provider.event({ jti, sub: user.sub });
    const [received, others] = await mixed(
      times(10, () => () => arena.notify(event)),
      times(90, (n) => () => {
        const idJag = idJags[n];
        return idJag ? arena.registerBy(idJag) : arena.exchange(first['identity_assertion']);
      }),
    );
    expect(tally(received)).toEqual({ 202: 10 });
    expect(await arena.audited('event.received', jti)).toBe(1);
    const isRegistration = ({ body }: { readonly body: Json }) =>
      body['registration_id'] !== undefined || body['error'] === 'expired';
    const registered = others.filter(isRegistration);
    expect(registered).toHaveLength(idJags.length);
    await expectAllEnded(
      arena,
      others.filter((answer) => !isRegistration(answer)),
    );
    const assertions = having(200, registered).map(({ body }) => body['identity_assertion']);
    const after = await Promise.all(assertions.map((each) => arena.exchange(each)));
    expect(having(400, after)).toHaveLength(assertions.length);
    const { state } = await arena.registration(first['registration_id']);
    expect(state).toBe('revoked');
  },
};

/** Each of these has the clock to itself: an hour begins with each round. */
export const LIMIT_RACES: Readonly<Record<string, Race>> = {
  'five anonymous registrations an hour are admitted of one IP address': (arena) =>
    expectAdmitted(arena, { type: 'anonymous' }, 5),
  'sixty others an hour are': (arena) =>
    expectAdmitted(arena, { type: 'service_auth', login_hint: ALICE }, 60),
  'ID-JAGs and emails that name one account are registered side by side': expectNoneWaitsForEver,
};

/** Each of both kinds takes the account of the email, and counts. */
async function expectNoneWaitsForEver(arena: Arena): Promise<void> {
  const { now } = await arena.replicas.control('limited', '/clock', { advance: '1h' });
  const iat = Math.floor(Date.parse(String(now)) / 1000);
  const { email } = newUser(arena);
  const register = (body: object) =>
    arena.replicas.send('limited', {
      method: 'POST',
      path: '/agent/identity',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const idJags = await Promise.all(
    times(MIXED + 1, () =>
      arena.provider.idJag({ email, sub: arena.newName(), iat, exp: iat + 300, auth_time: iat }),
    ),
  );
  const [first, ...others] = idJags.map(
    (assertion) => () => register({ type: 'identity_assertion', assertion }),
  );
  if (first) await taken(first());
  const byEmail = () => register({ type: 'service_auth', login_hint: email });
  const answers = await Promise.all(others.flatMap((byIdJag) => [byIdJag(), byEmail()]));
  expect(tally(answers)).toEqual({ 200: MIXED, '401 interaction_required': MIXED });
}

async function expectAdmitted(arena: Arena, body: object, admitted: number): Promise<void> {
  await arena.replicas.control('limited', '/clock', { advance: '1h' });
  const headers = { 'content-type': 'application/json' };
  const sent = {
    method: 'POST',
    path: '/agent/identity',
    headers,
    body: JSON.stringify(body),
  } as const;
  const answers = await Promise.all(times(AT_ONCE, () => arena.replicas.send('limited', sent)));
  expect(tally(answers)).toEqual({ 200: admitted, '429 rate_limited': AT_ONCE - admitted });
}

function newUser(arena: Arena) {
  const sub = arena.newName();
  return { sub, email: `${sub}@example.com` };
}

/** A claim of the nested dialect, its code read back by the agent. */
async function redeemed(arena: Arena): Promise<{ readonly refreshToken: unknown }> {
  const { body } = await taken(
    arena.nested('/agent/identity', { type: 'service_auth', login_hint: ALICE }),
  );
  const confirmed = await arena.complete(body['id'], 'nested');
  const answer = await taken(
    arena.nested('/agent/identity/claim/complete', {
      claim_token: (body['claim'] as unknown as Json)['token'],
      user_code: (confirmed['claim_attempt'] as unknown as Json)['user_code'],
    }),
  );
  const { refresh_token: token } = answer.body['identity'] as Json;
  return { refreshToken: (token as Json)['value'] };
}
