import { describe, expect, it } from 'vitest';
import {
  type CredentialStore,
  createMemoryStore,
  type RegisterOutcome,
} from '../../src/agent/index.ts';
import { typeThere } from '../support/type-there.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  lost,
  pending,
  refusal,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json, type Reply } from './support/fake-web.ts';

/** Registers in each state that a store can hold it in, one whole interval ago. */
const STATES = {
  'anonymous, unclaimed': (bench: Bench) => bench.anonymous(),
  'anonymous, pending': async (bench: Bench) => {
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    await bench.agent.startClaim({ email: ALICE });
  },
  'anonymous, claimed': async (bench: Bench) => {
    await STATES['anonymous, pending'](bench);
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
  },
  'service_auth, pending': (bench: Bench) => bench.serviceAuth(),
  'service_auth, lapsed': async (bench: Bench) => {
    await bench.serviceAuth();
    bench.clock.advance(600_000);
  },
  'service_auth, window over': async (bench: Bench) => {
    await bench.serviceAuth();
    bench.clock.advance(24 * 3_600_000);
  },
  'service_auth, claimed': async (bench: Bench) => {
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
  },
} as const;

const ALICE = 'alice@example.com';
const NEW = { registration_id: 'reg_new' };

type State = keyof typeof STATES;

const token = () => json(ANSWER.token({ access_token: 'at_fresh' }));
const claimed = () => json(ANSWER.claimed());
const gone = () => refusal('invalid_grant');
const expired = () => refusal('expired_token');
const denied = () => refusal('access_denied');
const slower = () => refusal('slow_down');
const opened = () => json(ANSWER.attempt({ user_code: '999999' }));
const unknownToken = () => refusal('invalid_claim_token', 401);
const windowOver = () => refusal('claim_expired', 410);
const claimedAlready = () => refusal('claimed_or_in_flight', 409);
const tooMany = () => refusal('too_many_attempts', 429);
const busy = () => refusal('temporarily_unavailable', 503, {});
const limited = () => refusal('rate_limited', 429);

const again = (state: State) =>
  state.startsWith('anonymous')
    ? ({ service: SERVICE, type: 'anonymous', reuse: true } as const)
    : ({ service: SERVICE, type: 'service_auth', loginHint: ALICE, reuse: true } as const);

/** Registered in a state; then these answers of the token endpoint and of the claim endpoint. */
async function tried(state: State, tokens: readonly Reply[], claims: readonly Reply[] = []) {
  const bench = new Bench();
  await STATES[state](bench);
  bench.clock.advance(5000);
  const before = bench.web.requests.length;
  const answer = state.startsWith('anonymous') ? ANSWER.anonymous(NEW) : ANSWER.serviceAuth(NEW);
  bench.web.on(ENDPOINT.identity, json(answer));
  // After those that are meant comes the exchange of a new registration.
  const [token1 = token(), ...moreTokens] = tokens;
  const [claim1 = refusal('not_meant', 500), ...moreClaims] = claims;
  bench.web.on(ENDPOINT.token, token1, ...moreTokens, token());
  bench.web.on(ENDPOINT.claim, claim1, ...moreClaims);
  const seen = () => bench.web.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
  const asked = () => ({
    tokens: seen().filter((route) => route === ENDPOINT.token).length,
    claims: seen().filter((route) => route === ENDPOINT.claim).length,
    registered: seen().includes(ENDPOINT.identity),
  });
  return { bench, asked, register: () => bench.agent.register(again(state)) };
}

async function storedIn(bench: Bench) {
  const [service] = (await bench.store.read()).services;
  return {
    current: service?.current,
    ended: service?.registrations.map(({ id, ended }) => [id, ended]),
  };
}

const idOf = (outcome: RegisterOutcome) =>
  'registration' in outcome ? outcome.registration.id : '';

describe('a registration that the service still knows', () => {
  it.each<[State, string, Reply[], Reply[], string, { tokens: number; claims: number }]>([
    ['anonymous, unclaimed', 'exchanges', [token()], [], 'registered', { tokens: 1, claims: 0 }],
    ['anonymous, pending', 'exchanges', [token()], [], 'registered', { tokens: 1, claims: 0 }],
    ['anonymous, claimed', 'exchanges', [token()], [], 'registered', { tokens: 1, claims: 0 }],
    ['service_auth, claimed', 'exchanges', [token()], [], 'registered', { tokens: 1, claims: 0 }],
    [
      'anonymous, pending',
      'was claimed meanwhile',
      [gone(), claimed()],
      [],
      'registered',
      { tokens: 2, claims: 0 },
    ],
    [
      'anonymous, unclaimed',
      'waits, its assertion refused',
      [gone(), pending()],
      [],
      'claim_needed not_started',
      { tokens: 2, claims: 0 },
    ],
    [
      'anonymous, pending',
      'waits, its assertion refused',
      [gone(), pending()],
      [],
      'claim_pending anonymous',
      { tokens: 2, claims: 0 },
    ],
    [
      'anonymous, pending',
      'lapsed, its assertion refused',
      [gone(), expired()],
      [opened()],
      'claim_pending anonymous',
      { tokens: 2, claims: 1 },
    ],
    [
      'service_auth, pending',
      'waits',
      [pending()],
      [],
      'claim_pending service_auth',
      { tokens: 1, claims: 0 },
    ],
    [
      'service_auth, pending',
      'wants slower polls',
      [slower()],
      [],
      'claim_pending service_auth',
      { tokens: 1, claims: 0 },
    ],
    [
      'service_auth, pending',
      'is claimed',
      [claimed()],
      [],
      'registered',
      { tokens: 1, claims: 0 },
    ],
    [
      'service_auth, pending',
      'was refused by its user',
      [denied()],
      [],
      'claim_needed denied',
      { tokens: 1, claims: 0 },
    ],
    [
      'service_auth, pending',
      'lapsed',
      [expired()],
      [opened()],
      'claim_pending service_auth',
      { tokens: 1, claims: 1 },
    ],
    [
      'service_auth, pending',
      'lapsed, then claimed',
      [expired(), claimed()],
      [claimedAlready()],
      'registered',
      { tokens: 2, claims: 1 },
    ],
    ['service_auth, lapsed', 'is claimed', [claimed()], [], 'registered', { tokens: 1, claims: 0 }],
    [
      'service_auth, lapsed',
      'waits all the same',
      [pending()],
      [],
      'claim_needed lapsed',
      { tokens: 1, claims: 0 },
    ],
    [
      'service_auth, lapsed',
      'lapsed',
      [expired()],
      [opened()],
      'claim_pending service_auth',
      { tokens: 1, claims: 1 },
    ],
    [
      'service_auth, window over',
      'was claimed in time',
      [claimed()],
      [],
      'registered',
      { tokens: 1, claims: 0 },
    ],
  ])('%s: it %s', async (state, _case, tokens, claims, expected, requests) => {
    const { bench, asked, register } = await tried(state, tokens, claims);
    const outcome = await register();
    const reason = 'reason' in outcome ? ` ${outcome.reason}` : '';
    expect(outcome.status + reason).toBe(expected);
    expect(outcome).toMatchObject({ already: true, previous: undefined, ended: [] });
    expect(asked()).toEqual({ ...requests, registered: false });
    const id = idOf(outcome);
    expect(await storedIn(bench)).toEqual({ current: id, ended: [[id, null]] });
  });

  it('shows the code of the new attempt, and keeps it', async () => {
    const { bench, register } = await tried('service_auth, lapsed', [expired()], [opened()]);
    const outcome = await register();
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    expect(typeThere(outcome.ceremony).userCode.reveal()).toBe('999999');
    expect(typeThere((await bench.stored()).claim?.attempt).userCode.reveal()).toBe('999999');
  });
});

describe('a registration that the service does not know any more', () => {
  it.each<[State, string, Reply[], Reply[], 'revoked' | 'expired']>([
    ['anonymous, unclaimed', 'revoked', [gone(), gone()], [], 'revoked'],
    ['anonymous, unclaimed', 'unknown', [gone(), expired()], [], 'revoked'],
    ['anonymous, pending', 'revoked', [gone(), gone()], [], 'revoked'],
    ['anonymous, pending', 'unknown', [gone(), expired()], [unknownToken()], 'revoked'],
    ['anonymous, claimed', 'revoked', [gone()], [], 'revoked'],
    ['service_auth, pending', 'revoked', [gone()], [], 'revoked'],
    ['service_auth, pending', 'unknown', [expired()], [unknownToken()], 'revoked'],
    ['service_auth, pending', 'over', [expired()], [windowOver()], 'revoked'],
    ['service_auth, pending', 'nameless 401', [expired()], [refusal('x', 401)], 'revoked'],
    [
      'service_auth, lapsed',
      'claimed and collected elsewhere',
      [expired(), gone()],
      [claimedAlready()],
      'revoked',
    ],
    ['service_auth, lapsed', 'revoked', [gone()], [], 'revoked'],
    ['service_auth, window over', 'over', [expired()], [], 'expired'],
    ['service_auth, claimed', 'revoked', [gone()], [], 'revoked'],
  ])('%s, %s: has ended, and another is made', async (state, _case, tokens, claims, ended) => {
    const { bench, asked, register } = await tried(state, tokens, claims);
    const old = (await bench.stored()).id;
    const outcome = await register();
    expect(outcome).toMatchObject({
      already: false,
      previous: undefined,
      ended: [{ id: old, ended, claim: null }],
    });
    expect(asked().registered).toBe(true);
    expect(await storedIn(bench)).toEqual({
      current: 'reg_new',
      ended: [
        [old, ended],
        ['reg_new', null],
      ],
    });
  });
});

describe('a service that does not say whether it knows a registration', () => {
  it.each<[State, string, Reply[], Reply[], string]>([
    ['anonymous, unclaimed', 'is lost', [lost(), lost(), lost()], [], 'unreachable'],
    [
      'anonymous, unclaimed',
      'answers 503',
      [busy(), busy(), busy()],
      [],
      'temporarily_unavailable',
    ],
    ['anonymous, unclaimed', 'answers 429', [limited()], [], 'rate_limited'],
    ['anonymous, unclaimed', 'is lost at the poll', [gone(), lost()], [], 'unreachable'],
    [
      'anonymous, unclaimed',
      'is behind a page to sign in at',
      [new Response(null, { status: 302, headers: { location: 'https://hotel.example/' } })],
      [],
      'redirected',
    ],
    ['anonymous, unclaimed', 'answers 403', [refusal('no', 403)], [], 'unknown_problem'],
    ['anonymous, unclaimed', 'answers 401', [refusal('invalid_client', 401)], [], 'invalid_client'],
    ['anonymous, claimed', 'answers 503', [busy(), busy(), busy()], [], 'temporarily_unavailable'],
    ['service_auth, pending', 'is lost', [lost()], [], 'unreachable'],
    ['service_auth, pending', 'answers 503', [busy()], [], 'server_error'],
    ['service_auth, pending', 'answers 429', [limited()], [], 'rate_limited'],
    ['service_auth, pending', 'answers an unknown code', [refusal('what')], [], 'unknown_problem'],
    [
      'service_auth, lapsed',
      'is lost at the start',
      [expired()],
      [lost(), lost(), lost()],
      'unreachable',
    ],
    [
      'service_auth, lapsed',
      'takes no further attempt',
      [expired()],
      [tooMany()],
      'too_many_attempts',
    ],
    [
      'service_auth, lapsed',
      'contradicts itself',
      [expired(), expired()],
      [claimedAlready()],
      'claimed_or_in_flight',
    ],
  ])('%s: %s; nothing has ended or is registered', async (state, _case, tokens, claims, code) => {
    const { bench, asked, register } = await tried(state, tokens, claims);
    const { id } = await bench.stored();
    const error = await failure(register());
    expect(error.code).toBe(code);
    expect(error.message).toContain(
      `It is not clear whether the service still has ${id}, so nothing`,
    );
    const byEmail = state.startsWith('anonymous') ? [] : ['--email', ALICE];
    const again = { command: 'register', args: [SERVICE, ...byEmail], needs: [] };
    const doctor = { command: 'doctor', args: [SERVICE], needs: [] };
    expect(error.next).toEqual(error.retryable ? again : doctor);
    expect(asked().registered).toBe(false);
    expect(await storedIn(bench)).toEqual({ current: id, ended: [[id, null]] });
  });
});

describe('an answer that was not understood when a registration is asked about', () => {
  it('led to --new, and so to a second account', async () => {
    const { bench, asked, register } = await tried('anonymous, unclaimed', [
      new Response('<p>Sign in to the network</p>'),
    ]);
    const error = await failure(register());
    expect([error.code, error.next?.command]).toEqual(['bad_answer', 'status']);
    expect(asked().registered).toBe(false);
    expect((await storedIn(bench)).ended).toEqual([['reg_1', null]]);
  });
});

describe('a registration that another process removes while it is asked about', () => {
  it('is not in use then', async () => {
    const inner = createMemoryStore();
    let isRemoved = false;
    const store: CredentialStore = {
      ...inner,
      update: async (change) => {
        if (isRemoved) await inner.update((now) => [{ ...now, services: [] }, undefined]);
        return inner.update(change);
      },
    };
    const bench = new Bench({ store });
    await bench.serviceAuth();
    const again = bench.another();
    const found = await again.discover({ address: SERVICE });
    isRemoved = true;
    const asked = { type: 'service_auth', loginHint: ALICE, reuse: true } as const;
    const error = await failure(again.register({ ...asked, service: found }));
    expect(error.code).toBe('not_registered');
    expect(await inner.read()).toMatchObject({ services: [], lastService: SERVICE });
  });
});

describe('which registration is asked about', () => {
  const anonymous = { service: SERVICE, type: 'anonymous', reuse: true } as const;
  const by = (loginHint: string) =>
    ({ service: SERVICE, type: 'service_auth', loginHint, reuse: true }) as const;

  it('is none where the library was not asked to reuse one', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous(NEW)));
    const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    expect(outcome).toMatchObject({
      already: false,
      registration: { id: 'reg_new' },
      previous: { id: 'reg_1' },
    });
  });

  it('is one of that type alone, and of that user, however the email address is spelled', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.clock.advance(5000);
    bench.web.on(ENDPOINT.token, pending()).on(ENDPOINT.identity, json(ANSWER.serviceAuth(NEW)));
    expect(idOf(await bench.agent.register(by(' Alice@Example.COM'.trim())))).toBe('reg_2');
    const other = await bench.agent.register(by('bob@example.com'));
    expect(other).toMatchObject({ already: false, previous: { id: 'reg_2' } });
    bench.web.on(ENDPOINT.token, token()).on(ENDPOINT.identity, json(ANSWER.anonymous()));
    expect(await bench.agent.register(anonymous)).toMatchObject({
      already: false,
      registration: { id: 'reg_1' },
    });
  });

  it('is in use from then on, and the one before is named', async () => {
    const bench = new Bench();
    await bench.anonymous();
    await bench.serviceAuth();
    expect(await bench.agent.register(anonymous)).toMatchObject({
      already: true,
      registration: { id: 'reg_1' },
      previous: { id: 'reg_2' },
    });
    expect((await storedIn(bench)).current).toBe('reg_1');
  });

  it('is the one in use, then one that was claimed, and an older one where that has ended', async () => {
    const bench = new Bench();
    await STATES['anonymous, claimed'](bench);
    await bench.anonymous({ registration_id: 'reg_b', identity_assertion: 'assertion-b' });
    await bench.anonymous({ registration_id: 'reg_c', identity_assertion: 'assertion-c' });
    const before = bench.web.sent(ENDPOINT.token).length;
    // In use is c, which is gone there; then the claimed one is asked about, before b.
    bench.web.on(ENDPOINT.token, gone(), gone(), token());
    expect(idOf(await bench.agent.register(anonymous))).toBe('reg_1');
    const asked = bench.web.sent(ENDPOINT.token).slice(before);
    expect(asked.map(({ body }) => new URLSearchParams(body).get('assertion'))).toEqual([
      'assertion-c',
      null,
      'assertion-v2',
    ]);
  });

  it('is asked even where the type is no longer offered', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(
      ENDPOINT.serverMetadata,
      json(serverMetadata({ agent_auth: agentAuth({ identity_types_supported: [] }) })),
    );
    expect(await bench.another().register(anonymous)).toMatchObject({ already: true });
  });
});

describe('a claim that is not completed', () => {
  it('is not polled before its interval is over, counted from its start and from each poll', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, pending());
    const register = () => bench.another().register(again('service_auth, pending'));
    for (const [passed, polls] of [
      [0, 0],
      [4999, 0],
      [1, 1],
      [4999, 1],
      [1, 2],
    ] as const) {
      bench.clock.advance(passed);
      expect(await register()).toMatchObject({ status: 'claim_pending', already: true });
      expect(bench.web.sent(ENDPOINT.token)).toHaveLength(polls);
    }
  });

  it('is not polled so soon after another process has, or after a wait was given up', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, pending());
    await bench.agent.waitForClaim({ timeout: 12_000 });
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(2);
    await bench.another().register(again('service_auth, pending'));
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(2);
    bench.clock.advance(3000);
    await bench.another().register(again('service_auth, pending'));
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(3);
  });

  it('is polled when the clock of its service has gone back, as that of one that was reset', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    const date = new Date(bench.clock.now() - 660_000).toUTCString();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(), 200, { date }));
    bench.web.on(ENDPOINT.resourceMetadata, json(resourceMetadata(), 200, { date }));
    bench.web.on(ENDPOINT.token, expired()).on(ENDPOINT.claim, unknownToken());
    bench.web.on(ENDPOINT.identity, json(ANSWER.serviceAuth(NEW)));
    const outcome = await bench.another().register(again('service_auth, pending'));
    expect(outcome).toMatchObject({ already: false, ended: [{ id: 'reg_2' }] });
  });

  it('has a longer interval once the service has asked for it', async () => {
    const { bench, register } = await tried('service_auth, pending', [slower(), pending()]);
    await register();
    bench.clock.advance(9999);
    await register();
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
    bench.clock.advance(1);
    await register();
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(2);
  });

  it('that its user refused is not opened again when the service calls it expired', async () => {
    const answers = [denied(), expired(), expired()];
    const { asked, bench, register } = await tried('service_auth, pending', answers, [opened()]);
    for (const passed of [0, 5000, 5000]) {
      bench.clock.advance(passed);
      expect(await register()).toMatchObject({ status: 'claim_needed', reason: 'denied' });
    }
    expect(asked()).toEqual({ tokens: 3, claims: 0, registered: false });
    expect((await bench.stored()).claim?.attempt?.ended).toBe('denied');
  });

  it('that its user refused, and that the service forgot since, has ended: no dead end', async () => {
    const answers = [denied(), expired()];
    const { bench, register } = await tried('service_auth, pending', answers, [unknownToken()]);
    for (const passed of [0, 5000]) {
      bench.clock.advance(passed);
      expect(await register()).toMatchObject({ status: 'claim_needed', reason: 'denied' });
    }
    const asked = await failure(bench.agent.startClaim({ renew: true }));
    expect(asked.next).toEqual({
      command: 'register',
      args: [SERVICE, '--email', ALICE],
      needs: [],
    });
    expect((await storedIn(bench)).ended).toEqual([['reg_2', 'revoked']]);
    expect(await register()).toMatchObject({ already: false, registration: { id: 'reg_new' } });
  });

  it('that its user refused is not opened again unasked', async () => {
    const { bench, asked, register } = await tried('service_auth, pending', [denied(), denied()]);
    for (const passed of [0, 0, 5000]) {
      bench.clock.advance(passed);
      expect(await register()).toMatchObject({ status: 'claim_needed', reason: 'denied' });
    }
    expect(asked()).toEqual({ tokens: 2, claims: 0, registered: false });
  });
});
