import { describe, expect, it } from 'vitest';
import { READ_BACK_SCENARIOS } from '../../../src/conformance/service/dialect/read-back-scenarios.ts';
import { PATHS } from '../../../src/mock-service/config/paths.ts';
import { asOwner } from '../../../src/mock-service/faults/claim-faults.ts';
import { rewire, type ServiceFault } from '../../../src/mock-service/index.ts';
import { failingChecks, withStatus as ofStatus } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { serviceFaults } from './by-name.ts';

const { inState, at, withInput, on, withJson, withMembers, withStatus } = rewire;

const isHandIn = (path: string) => path === PATHS.complete;

/** What opened the service last. */
let given = {};

/** Faults of claims whose code the user reads to the agent. */
const OWN = {
  noHandIn: {
    description: 'breaks on every code that is handed in',
    answers: on(isHandIn, withStatus(500)),
  },
  nothingGiven: {
    description: 'gives nothing for a code',
    answers: on(isHandIn, withMembers({ identity: undefined, credential: undefined })),
  },
  noStart: {
    description: 'starts no claim of a registration that has none',
    answers: on((path) => path === PATHS.claim, withStatus(500)),
  },
  noExchange: {
    description: 'exchanges nothing',
    answers: on((path) => path === PATHS.token, withMembers({ access_token: undefined })),
  },
  accessBefore: {
    description: 'gives whoever registers by email what it gave to the last one',
    answers: on(
      (path) => path === PATHS.identity || isHandIn(path),
      withJson((body) => {
        const { credential, identity } = body;
        if (credential === undefined && identity === undefined) return { ...body, ...given };
        given = { credential, identity };
        return body;
      }),
    ),
  },
  endlessTries: {
    description: 'counts no wrong code that is handed in',
    decisions: at(
      'redeem',
      ['pending'],
      withInput((input) => (input.code === 'wrong' ? { ...input, code: 'malformed' } : input)),
    ),
  },
  lateCodes: {
    description: 'takes a code after its claim has expired',
    decisions: at(
      'redeem',
      ['lapsed'],
      inState('pending', () => true),
    ),
  },
  anyAccount: {
    description: 'shows the code to whoever is signed in',
    decisions: at('confirm', ['pending'], withInput(asOwner)),
  },
} satisfies Readonly<Record<string, ServiceFault>>;

type Dialect = 'nested' | 'first';

const CLAIMED = ['anonymous', 'service-auth', 'attempt-expiry'].map((id) => `${id}.claimed`);

/** Fault → the checks that see it, and no other; where the dialects differ, at each. */
const CASES: Readonly<
  Record<string, readonly string[] | Readonly<Partial<Record<Dialect, readonly string[]>>>>
> = {
  missingClaimToken: { first: ['anonymous.registered', 'service-auth.registered'] },
  uncheckedClaimToken: ['claim-start.unknown-refused'],
  uncheckedUserCode: [
    'reopen.old-code-over',
    'unknown-claims.code-bound',
    'wrong-codes.nothing-claimed',
  ],
  acceptedClaimedReopen: ['claim-start.claimed-refused'],
  refusedAttemptAfterExpiry: ['attempt-expiry.reopened'],
  refusedNewAttempt: ['reopen.reopened'],
  acceptedPartOfUserCode: ['whole-code.needed'],
  ignoredDenial: ['denial.no-way-back'],
  noHandIn: [...CLAIMED, 'reopen.new-attempt-claims', 'unknown-claims.unknown-refused'],
  nothingGiven: {
    nested: ['anonymous.second-assertion', 'service-auth.works'],
    first: ['service-auth.works'],
  },
  noStart: ['anonymous.claim-started'],
  noExchange: { nested: ['anonymous.exchanged'] },
  accessBefore: ['service-auth.nothing-before'],
  endlessTries: ['wrong-codes.burnt'],
  lateCodes: ['attempt-expiry.late-code', 'denial.no-way-back', 'wrong-codes.burnt'],
  anyAccount: { nested: ['wrong-account.not-claimed'] },
};

function judge(dialect: Dialect, fault?: string, scenarios = Object.keys(READ_BACK_SCENARIOS)) {
  const own: Readonly<Record<string, ServiceFault>> = OWN;
  const faults = fault === undefined ? [] : [own[fault] ?? serviceFaults([fault])].flat();
  return judgeMock([], scenarios, { mock: { dialect, faults }, mails: true });
}

describe.each(['nested', 'first'] as const)('claims of a service that speaks %s', (dialect) => {
  it('are judged, and right', async () => {
    const results = await judge(dialect);
    expect(ofStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    expect(ofStatus(results, ['pass']).length).toBeGreaterThan(20);
  });
});

const ROWS = Object.entries(CASES).flatMap(([fault, seen]) => {
  const by = 'length' in seen ? { nested: seen, first: seen } : seen;
  return (Object.entries(by) as [Dialect, readonly string[]][]).map(
    ([dialect, fails]) => [fault, dialect, fails] as const,
  );
});

describe('a fault of a service that speaks another dialect', () => {
  it.each(ROWS)('%s is caught at %s, and nothing else is said', async (fault, dialect, fails) => {
    const scenarios = [...new Set(['anonymous', ...fails.map((id) => id.split('.')[0] ?? '')])];
    expect(failingChecks(await judge(dialect, fault, scenarios)).toSorted()).toEqual(
      fails.toSorted(),
    );
  });

  it('has one for each check of such a claim', () => {
    const caught = new Set(ROWS.flatMap(([, , fails]) => fails));
    const checks = Object.entries(READ_BACK_SCENARIOS).flatMap(([id, scenario]) =>
      Object.keys(scenario.checks).map((name) => `${id}.${name}`),
    );
    expect(checks.filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('a service that takes the claims of v0.7 alone', () => {
  it('is told so, and judged on its claims all the same', async () => {
    const scenarios = ['anonymous', 'claim-start', 'reopen', 'denial'];
    const results = await judgeMock([], scenarios, { mock: { quirks: ['claim-by-typed-hint'] } });
    expect(ofStatus(results, ['fail', 'warn', 'untestable']).map(({ id }) => id)).toEqual([
      'claim-start.body',
    ]);
    expect(ofStatus(results, ['pass']).map(({ id }) => id)).toContain('anonymous.claimed');
  });
});
