import { describe, expect, it } from 'vitest';
import { AgentError } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure, jwt, later, SERVICE } from './support/bench.ts';
import { html, json } from './support/fake-web.ts';

const EMAIL = 'alice@example.com';
const idJag = () => new Secret(jwt({ aud: SERVICE, iss: 'https://idp.example' }));

interface Kind {
  readonly what: string;
  readonly route: string;
  readonly answer: object;
  readonly status?: number;
  /** Everything before the answer. */
  readonly before?: (bench: Bench) => Promise<unknown>;
  readonly act: (bench: Bench) => Promise<unknown>;
}

/** Each answer that an agent gets something by, whole. */
const KINDS: readonly Kind[] = [
  {
    what: 'an anonymous registration',
    route: ENDPOINT.identity,
    answer: ANSWER.anonymous(),
    act: ({ agent }) => agent.register({ service: SERVICE, type: 'anonymous' }),
  },
  {
    what: 'a registration by email',
    route: ENDPOINT.identity,
    answer: ANSWER.serviceAuth(),
    act: ({ agent }) =>
      agent.register({ service: SERVICE, type: 'service_auth', loginHint: EMAIL }),
  },
  {
    what: 'a registration by ID-JAG',
    route: ENDPOINT.identity,
    answer: ANSWER.identityAssertion(),
    act: ({ agent }) =>
      agent.register({ service: SERVICE, type: 'identity_assertion', assertion: idJag() }),
  },
  {
    what: 'a confirmation that the user must give',
    route: ENDPOINT.identity,
    status: 401,
    answer: {
      error: 'interaction_required',
      ...ANSWER.serviceAuth({ registration_type: 'identity_assertion' }),
    },
    act: ({ agent }) =>
      agent.register({ service: SERVICE, type: 'identity_assertion', assertion: idJag() }),
  },
  {
    what: 'a claim attempt',
    route: ENDPOINT.claim,
    answer: ANSWER.attempt(),
    before: (bench) => bench.anonymous(),
    act: ({ agent }) => agent.startClaim({ email: EMAIL }),
  },
  {
    what: 'a completed claim',
    route: ENDPOINT.token,
    answer: ANSWER.claimed(),
    before: (bench) => bench.serviceAuth(),
    act: ({ agent }) => agent.waitForClaim(),
  },
  {
    what: 'an exchange',
    route: ENDPOINT.token,
    answer: ANSWER.token(),
    before: (bench) => bench.anonymous(),
    act: ({ agent }) => agent.token({ renew: true }),
  },
];

const SECRETS =
  /assertion-\d|assertion-v2|clm_\d|at_1\b|at_claimed|012345|cla_1|SENTINEL|api\.(?:read|write)/;

/** What a member can be instead of what it must be. */
const WRONG: readonly unknown[] = [undefined, null, 7, '', 'SENTINEL', true, [], ['SENTINEL'], {}];

/** The paths of all members, those of a block too. */
function paths(value: object, before: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...before, name];
    const below = typeof inner === 'object' && !Array.isArray(inner) ? paths(inner, path) : [];
    return [path, ...below];
  });
}

function replaced(value: object, [name = '', ...rest]: readonly string[], wrong: unknown): object {
  const members = value as Record<string, object>;
  const inner = rest.length === 0 ? wrong : replaced(members[name] ?? {}, rest, wrong);
  return { ...members, [name]: inner };
}

function expectClear(error: AgentError): void {
  expect(`${error.message} ${error.hint}`).not.toMatch(SECRETS);
  expect(JSON.stringify(error.problem ?? {})).not.toMatch(SECRETS);
  expect(error.message).toMatch(/^[A-Z].*\.$/s);
  expect(error.message).not.toMatch(/undefined|\[object|\bNaN\b/);
}

describe.each(KINDS)('$what', ({ route, answer, status = 200, before, act }) => {
  // What names the error is judged where errors are: read-problem.test.ts.
  const members = paths(answer).filter(([name]) => name !== 'error');
  it.each(members.map((path) => [path.join('.'), path] as const))(
    'with anything wrong about %s is taken, or kept whole with a clear error',
    async (_name, path) => {
      for (const wrong of WRONG) {
        const bench = new Bench();
        await before?.(bench);
        const text = JSON.stringify(replaced(answer, path, wrong));
        bench.web.on(route, () => new Response(text, { status, headers: JSON_TYPE }));
        const error = await act(bench).then(
          () => undefined,
          (thrown: AgentError) => thrown,
        );
        const { notUnderstood = [] } = await bench.store.read();
        if (error === undefined) {
          expect(notUnderstood).toEqual([]);
          continue;
        }
        expectClear(error);
        if (error.problem !== undefined) continue; // a refusal, understood as one
        expect(['failed', 'refused']).toContain(error.kind);
        expect(notUnderstood.map(({ body }) => body.reveal())).toEqual([text]);
        expect(notUnderstood[0]?.members.join()).not.toMatch(SECRETS);
      }
    },
  );
});

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a registration that was not understood (it was lost, and made again)', () => {
  const odd = { registration_id: 'reg_9', identity_assertion: 7, claim: { user_code: '1' } };
  async function registered() {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(odd));
    const register = (more: object = {}) =>
      bench.agent.register({ service: SERVICE, type: 'anonymous', ...more });
    const error = await failure(register());
    return { bench, register, error };
  }

  it('has its members and their types named, never a value', async () => {
    const { error } = await registered();
    expect(error).toMatchObject({ code: 'bad_answer', next: { command: 'status' } });
    expect(error.message).toContain(
      'It sent: registration_id: string, identity_assertion: number, claim: { user_code: string }.',
    );
    expect(error.message).not.toContain('reg_9');
  });

  it('is not made again, by any door, unless another one is wanted', async () => {
    const { bench, register } = await registered();
    for (const more of [{}, { reuse: true }, { reuse: false }]) {
      expect(await failure(register(more))).toMatchObject({ code: 'registered_not_understood' });
    }
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
    await failure(register({ anew: true }));
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(2);
    expect((await bench.agent.status()).notUnderstood).toHaveLength(2);
  });

  it('stands in nobody else’s way', async () => {
    const { bench } = await registered();
    bench.web.on(ENDPOINT.identity, json(ANSWER.serviceAuth()));
    const outcome = await bench.agent.register({
      service: SERVICE,
      type: 'service_auth',
      loginHint: EMAIL,
    });
    expect(outcome.status).toBe('claim_pending');
  });

  describe('by ID-JAG', () => {
    const issuer = 'https://idp.example';
    const alice = { iss: issuer, sub: 'user-1', email: EMAIL };
    const asking = (bench: Bench, who: object, more: object = {}) =>
      bench.agent.register({
        service: SERVICE,
        type: 'identity_assertion',
        assertion: new Secret(jwt({ aud: SERVICE, ...who })),
        ...more,
      });
    async function refusedOnce(who: object) {
      const bench = new Bench();
      bench.web.on(ENDPOINT.identity, json(odd));
      await failure(asking(bench, who));
      bench.web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
      return bench;
    }

    it.each([
      ['the same user', alice],
      ['that user with another email address', { ...alice, email: 'al@example.com' }],
      ['whom it does not say', { iss: issuer }],
    ])('stands in the way of %s', async (_who, next) => {
      const error = await failure(asking(await refusedOnce(alice), next));
      expect(error.code).toBe('registered_not_understood');
    });

    it.each([
      ['another user of that provider', alice, { ...alice, sub: 'user-2' }],
      ['another provider’s', alice, { ...alice, iss: 'https://other.example' }],
      [
        'another email address',
        { iss: issuer, email: EMAIL },
        { iss: issuer, email: 'b@example.com' },
      ],
    ])('does not stand in the way of %s (it did)', async (_who, first, next) => {
      expect((await asking(await refusedOnce(first), next)).status).toBe('registered');
    });

    it('is made again where that is wanted', async () => {
      const bench = await refusedOnce(alice);
      expect((await asking(bench, alice, { anew: true })).status).toBe('registered');
    });

    it('stands in the way of the user who is signed in at that provider, and of no other', async () => {
      const bench = await refusedOnce(alice);
      const byProvider = (provider: string) =>
        failure(bench.agent.register({ service: SERVICE, type: 'identity_assertion', provider }));
      expect((await byProvider(issuer)).code).toBe('registered_not_understood');
      expect((await byProvider('https://other.example')).code).not.toBe(
        'registered_not_understood',
      );
    });
  });

  it('is what every command says that needs a registration there', async () => {
    const { bench } = await registered();
    const code = 'registered_not_understood';
    expect(await failure(bench.agent.token())).toMatchObject({ code });
    expect(await failure(bench.agent.call(`${SERVICE}/api/resource`))).toMatchObject({ code });
  });

  it('is removed by its id, and can be made again then', async () => {
    const { bench, register } = await registered();
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(await bench.agent.forgetKept({ id: kept?.id })).toHaveLength(1);
    bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
    expect((await register()).status).toBe('registered');
    expect(await failure(bench.agent.forgetKept())).toMatchObject({ code: 'not_registered' });
  });

  it.each([
    ['a page', () => html(), '<'],
    ['nothing', () => new Response(null, { status: 204 }), ''],
    ['a list', () => new Response('["SENTINEL"]', { status: 201 }), '["SENTINEL"]'],
    [
      'a URL elsewhere to claim at',
      () => json(ANSWER.anonymous({ claim_url: 'https://evil.example/claim' })),
      '{',
    ],
    ['an error beside what it gives', () => json(ANSWER.anonymous({ error: 'odd' })), '{'],
  ])('is kept where it is %s', async (_what, reply, start) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, reply);
    expectClear(await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' })));
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(kept?.body.reveal().startsWith(start)).toBe(true);
    expect(JSON.stringify(kept)).not.toMatch(SECRETS);
  });

  it('is refused in the service’s words where the disk is full (the disk’s error hid them)', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous({ error: 'account_banned' })));
    let writes = 0;
    bench.store.update = async () => {
      writes += 1;
      throw new AgentError('The disk is full.', { code: 'credentials_not_writable' });
    };
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect([error.problem?.code, writes]).toEqual(['account_banned', 1]);
  });

  it.each([
    ['the page of a captive portal', () => html(), 'may be complete there'],
    ['an object', () => json({ odd: 7 }), 'is complete there'],
  ])('that comes for a poll says of %s no more than is known', async (_what, reply, said) => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, reply);
    expect((await failure(bench.agent.waitForClaim())).message).toContain(said);
    expect((await bench.agent.status()).notUnderstood).toHaveLength(1);
  });

  it('is kept to 64 KiB of it', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, () => new Response(`{"x":"${'é'.repeat(200_000)}"}`));
    await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(kept?.truncated).toBe(true);
    const { byteLength } = new TextEncoder().encode(kept?.body.reveal());
    expect(Math.abs(byteLength - 64 * 1024)).toBeLessThan(4);
  });

  it('is none where the service refuses', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json({ error: 'invalid_request' }, 400));
    await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });
});

describe('a token answer that was not understood', () => {
  it('is kept once however often it comes, and gone with the token that is understood', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ token_type: 'mac' })));
    expect((await failure(bench.agent.token({ renew: true }))).code).toBe('unknown_token_type');
    await failure(bench.agent.token({ renew: true }));
    expect((await bench.agent.status()).notUnderstood).toMatchObject([
      { of: 'token', registrationId: 'reg_1' },
    ]);
    bench.web.on(ENDPOINT.token, json(ANSWER.token()));
    await bench.agent.token({ renew: true });
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });

  it('goes with its registration', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, json({ access_token: 7, when: later(1) }));
    await failure(bench.agent.waitForClaim());
    expect((await bench.agent.status()).notUnderstood).toMatchObject([{ of: 'claimed' }]);
    await bench.agent.forget();
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });
});
