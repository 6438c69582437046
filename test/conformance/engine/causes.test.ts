import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../src/conformance/engine/causes.ts';
import type {
  CheckResult,
  Exchange,
  Gain,
  ScenarioResult,
} from '../../../src/conformance/index.ts';

const VERDICT = {
  outcome: 'does_not_conform',
  known: 0,
  fixed: [],
  unjudged: [],
  selectedOnly: false,
  interrupted: false,
} as const;

function check(id: string, more: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    title: `${id} holds.`,
    level: 'must',
    section: 'standards',
    status: 'fail',
    requirements: [],
    sources: [],
    findings:
      more.status === undefined || more.status === 'warn'
        ? [{ expected: `${id} holds.`, seen: 'no' }]
        : [],
    moreFindings: 0,
    ...more,
  };
}

function attack(id: string, gain: Gain, can: string): CheckResult {
  return check(id, { section: 'attacks', attack: { gain, can } });
}

function scenario(
  checks: readonly CheckResult[],
  exchanges: readonly Exchange[] = [],
): ScenarioResult {
  return { id: 'some', title: 'Some', duration: 1, checks, exchanges };
}

function exchange(
  number: number,
  status: number,
  url = 'https://service.example/token?a=1',
): Exchange {
  return {
    number,
    from: 'suite',
    to: 'service',
    at: 0,
    request: { method: 'POST', url, headers: [] },
    response: { status, headers: [], duration: 1 },
  };
}

const causes = (scenarios: readonly ScenarioResult[], more: object = {}) =>
  causesOf({
    role: 'service',
    target: 'https://service.example',
    seed: 7,
    scenarios,
    verdict: { ...VERDICT, ...more },
  });

describe('the causes of a report', () => {
  it('have the worst first among known failures, too', () => {
    const known = (id: string, gain: 'outage' | 'account') => {
      const one = attack(id, gain, 'Does harm.');
      return { ...one, known: 'next release' };
    };
    const found = causes([
      scenario([
        check('s.standard', { known: 'next release' }),
        known('s.slow', 'outage'),
        known('s.open-door', 'account'),
      ]),
    ]);
    expect(found.map(({ checks }) => checks[0])).toEqual(['s.open-door', 's.slow', 's.standard']);
  });

  it('have what keeps most checks from being judged first of what is missing', () => {
    const open = (id: string, reason: string) => check(id, { status: 'untestable', reason });
    const checks = [open('a.one', 'Little.'), open('b.one', 'Much.'), open('b.two', 'Much.')];
    expect(causes([scenario(checks)]).map(({ seen }) => seen)).toEqual(['Much.', 'Little.']);
  });

  it('have the worst attack first, then what is missing, then what breaks agents', () => {
    const found = causes([
      scenario([
        check('s.standard'),
        check('s.weaker', { status: 'warn' }),
        check('s.known', { known: 'next release' }),
        check('s.agents', { section: 'protocol' }),
        check('s.open', { status: 'untestable', reason: 'No code came.' }),
        attack('s.slow', 'outage', 'Keeps it busy.'),
        attack('s.open-door', 'account', 'Reads what is not theirs.'),
        check('s.near-attack', { section: 'attacks' }),
      ]),
    ]);
    expect(found.map(({ kind, checks }) => `${kind} ${checks}`)).toEqual([
      'attack s.open-door',
      'attack s.slow',
      'missing s.open',
      'protocol s.agents',
      'standards s.standard',
      'standards s.near-attack',
      'known s.known',
      'warning s.weaker',
    ]);
    expect(found[0]).toMatchObject({
      title: 'Reads what is not theirs.',
      expected: 's.open-door holds.',
    });
  });

  it('are one for an attack that several checks see, and for what rests on a check', () => {
    const found = causes([
      scenario([
        attack('s.one', 'account', 'Guesses codes.'),
        attack('s.two', 'account', 'Guesses codes.'),
        check('s.base'),
        check('s.above', { status: 'skip', restsOn: 's.base', reason: 'It rests on s.base.' }),
      ]),
    ]);
    expect(found.map(({ checks, resting }) => [checks, resting])).toEqual([
      [['s.one', 's.two'], []],
      [['s.base'], ['s.above']],
    ]);
  });

  it('are one for an endpoint that breaks, whatever its query, and another for another endpoint', () => {
    const seen = (number: number) => [{ expected: 'an answer', seen: '500', exchange: number }];
    const found = causes([
      scenario(
        [
          check('s.one', { findings: seen(1) }),
          check('s.two', { findings: seen(2), section: 'protocol' }),
          check('s.three', { findings: seen(3) }),
        ],
        [
          exchange(1, 500),
          exchange(2, 500, 'https://service.example/token?b'),
          exchange(3, 500, 'https://service.example/revoke'),
        ],
      ),
    ]);
    expect(found.map(({ title, checks }) => [title, checks])).toEqual([
      ['POST /token answers 500.', ['s.two', 's.one']],
      ['s.three holds.', ['s.three']],
    ]);
  });

  it('name the stories that nobody judged before other gaps, with the option that helps', () => {
    const unjudged = [{ story: 'a claim', why: 'No user.', option: '--user browser' }];
    const found = causes(
      [
        scenario([
          check('s.many', { status: 'untestable', reason: 'No key.' }),
          check('s.more', { status: 'untestable', reason: 'No key.' }),
          check('s.claim', { status: 'skip', reason: 'No user.', needs: '--user browser' }),
          check('s.late', { status: 'skip', reason: 'Too long.', needs: '--patience 2m' }),
          check('s.not-here', { status: 'skip', reason: 'Not offered.' }),
        ]),
      ],
      { unjudged },
    );
    expect(found.map(({ title, option, status }) => [title, option, status])).toEqual([
      ['Not judged: a claim.', '--user browser', 'untestable'],
      ['2 checks could not be judged.', undefined, 'untestable'],
      ['s.late holds.', '--patience 2m', 'skip'],
    ]);
  });

  it('say how each is repeated: by the request, or by a run where the request was the agent’s own', () => {
    const findings = [{ expected: 'an answer', seen: 'none', exchange: 1 }];
    const scenarios = [scenario([check('s.one', { findings })], [exchange(1, 400)])];
    expect(causes(scenarios)[0]?.repeat).toBe(
      "curl -sSi -X POST 'https://service.example/token?a=1'",
    );
    const own = scenarios.map((each) => ({
      ...each,
      exchanges: each.exchanges.map((one) => ({ ...one, from: 'agent' })),
    }));
    const [cause] = causesOf({
      role: 'agent',
      target: './adapter.sh',
      seed: 7,
      scenarios: own,
      verdict: VERDICT,
    });
    expect(cause?.repeat).toBe(
      'agent-auth conformance agent --only s.one --seed 7 -- ./adapter.sh',
    );
  });

  it('are repeated by a run, as it was typed, where a secret came before the request that shows it', () => {
    const findings = [{ expected: 'the old token refused', seen: 'a hint', exchange: 2 }];
    const secret = { status: 200, headers: [], body: '{"access_token":"‹0a0a0a0a›"}', duration: 1 };
    const story = [{ ...exchange(1, 200), response: secret }, exchange(2, 400)];
    const [cause] = causesOf({
      ...{ role: 'service', target: 'https://service.example', seed: 7, verdict: VERDICT },
      typed: ['conformance', 'service', 'https://service.example', '--accounts', 'my users.yaml'],
      scenarios: [scenario([check('s.one', { findings })], story)],
    });
    expect(cause?.repeat).toBe(
      "agent-auth conformance service https://service.example --accounts 'my users.yaml' --only s.one --seed 7",
    );
  });

  it('have what each further check saw, and all of them in the line that repeats them', () => {
    const can = 'Has the agent send its token elsewhere.';
    const saw = (id: string, seen: string) => ({
      ...attack(id, 'account', can),
      findings: [{ expected: 'no token', seen, exchange: 1 }],
    });
    const own = { ...exchange(1, 200), from: 'agent' };
    const [cause] = causesOf({
      role: 'agent',
      target: './adapter.sh',
      program: 'npx agent-auth',
      seed: 7,
      scenarios: [scenario([saw('s.plain', 'by http'), saw('s.redirect', 'a redirect')], [own])],
      verdict: VERDICT,
    });
    expect(cause?.also).toEqual([{ check: 's.redirect', seen: 'a redirect' }]);
    expect(cause?.repeat).toBe(
      'npx agent-auth conformance agent --only s.plain,s.redirect --seed 7 -- ./adapter.sh',
    );
  });
});
