import { describe, expect, it } from 'vitest';
import {
  diffMarkdown,
  diffReports,
  type PastReport,
  pastReport,
} from '../../../src/conformance/compare/index.ts';
import type {
  CheckResult,
  Exchange,
  Report,
  Role,
  Status,
} from '../../../src/conformance/index.ts';
import { HOSTILE, SAMPLE_REPORT } from '../support/sample-report.ts';

type Headers = readonly (readonly [string, string])[];

interface Answered {
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly from?: string;
  readonly to?: string;
  readonly asked?: unknown;
  readonly sent?: Headers;
}

function exchange(answered: Answered, index: number, target: string): Exchange {
  const { path = '/agent/identity', status = 200, headers = [], body, asked, sent = [] } = answered;
  const { from = 'agent', to = 'service' } = answered;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    ...{ number: index + 1, from, to, at: index },
    request: {
      ...{ method: 'POST', url: `${target}${path}`, headers: sent },
      ...(asked !== undefined && { body: text(asked) }),
    },
    response: { status, headers, duration: 1, ...(body !== undefined && { body: text(body) }) },
  };
}

const A = 'http://127.0.0.1:4001';
const B = 'https://api.example.test';

function reportOf(
  target: string,
  answers: readonly Answered[],
  checks: Readonly<Record<string, Status | Partial<CheckResult>>> = {},
  role: Role = 'service',
): PastReport {
  const [sample] = SAMPLE_REPORT.scenarios.flatMap((scenario) => scenario.checks);
  if (sample === undefined) throw new Error('The sample has checks.');
  const report: Report = {
    ...SAMPLE_REPORT,
    ...{ role, target },
    scenarios: [
      {
        ...{ id: 's', title: 'S', duration: 1 },
        checks: Object.entries(checks).map(([name, is]) => ({
          ...sample,
          ...{ id: `s.${name}`, title: name },
          ...(typeof is === 'string' ? { status: is } : is),
        })),
        exchanges: answers.map((each, index) => exchange(each, index, target)),
      },
    ],
  };
  return pastReport(report);
}

const answersOf = (a: readonly Answered[], b: readonly Answered[], role: Role = 'service') =>
  diffReports(reportOf(A, a, {}, role), reportOf(B, b, {}, role)).answers.map(
    ({ request, of, part, name, a: before, b: after, count }) => ({
      what: `${request} ${of} ${part} ${name}`.trim(),
      was: `${before} → ${after}`,
      count,
    }),
  );

describe('a check', () => {
  it.each<[a: Status | undefined, b: Status | undefined, change: string | undefined]>([
    ['pass', 'fail', 'worse'],
    ['pass', 'untestable', 'worse'],
    ['warn', 'fail', 'worse'],
    ['warn', 'untestable', 'worse'],
    ['untestable', 'fail', 'worse'],
    ['pass', 'warn', 'weaker'],
    ['fail', 'warn', 'better'],
    ['fail', 'untestable', 'better'],
    ['fail', 'pass', 'better'],
    ['warn', 'pass', 'better'],
    ['pass', 'skip', 'unjudged'],
    ['fail', 'skip', 'unjudged'],
    ['skip', 'fail', 'judged'],
    ['skip', 'pass', 'judged'],
    [undefined, 'fail', 'new'],
    ['pass', undefined, 'gone'],
    ['fail', 'fail', undefined],
    ['skip', 'skip', undefined],
  ])('that was %s and is %s is %s', (before, now, change) => {
    const side = (status: Status | undefined) =>
      reportOf(A, [], status === undefined ? {} : { x: status });
    const { checks, worse } = diffReports(side(before), side(now));
    expect(checks.map((check) => check.change)).toEqual(change === undefined ? [] : [change]);
    expect(worse).toBe(change === 'worse');
  });

  it('that was judged in neither run has not changed', () => {
    const before = reportOf(A, [], { x: { status: 'skip', reason: 'Not offered.' } });
    const rests = { status: 'skip', restsOn: 's.y', reason: 'It rests on s.y.' } as const;
    const after = reportOf(B, [], { x: rests });
    expect(diffReports(before, after).checks).toEqual([]);
    expect(diffReports(after, before).checks).toEqual([]);
  });

  it('that rests on a failed one was not right either', () => {
    const now = reportOf(A, [], {
      x: { status: 'skip', restsOn: 's.y', reason: 'It rests on s.y.' },
    });
    expect(diffReports(reportOf(A, [], { x: 'pass' }), now)).toMatchObject({
      worse: true,
      checks: [{ id: 's.x', change: 'worse', a: 'pass', b: 'skip', why: 'It rests on s.y.' }],
    });
    expect(diffReports(now, now).checks).toEqual([]);
  });
});

describe('the answers to the same step', () => {
  it('do not differ in what no implementation chooses', () => {
    const body = (origin: string, mark: string, more: object) => ({
      ...{ registration_id: `reg_${mark}a1B2c3D4e5F6`, access_token: `‹${mark}0123456›` },
      ...{ issuer: origin, jwks_uri: `${origin}/jwks.json`, error_description: `Words ${mark}` },
      ...{ assertion_expires: `2026-11-2${mark.length}T19:10:16.578Z`, iat: 1_790_000_000 },
      ...{ email: `c-${mark}@example.com`, expires_in: 3600, ...more },
    });
    const a = { body: body(A, 'f', { iat: 1_790_000_000, expires_in: 3600 }) };
    const b = { body: body(B, 'ee', { iat: 1_799_999_999, expires_in: 3598 }) };
    const headers = (origin: string, mark: string): Headers => [
      ['Date', `Sun, 22 Nov 2026 19:10:1${mark} GMT`],
      ['Content-Type', 'application/json;charset=UTF-8'],
      ['WWW-Authenticate', `Bearer resource_metadata="${origin}/.well-known/x"`],
      ['Retry-After', mark],
      ['X-Powered-By', mark],
      ['Set-Cookie', `sid=‹${mark}2345678›; HttpOnly; Secure`],
    ];
    const same: Headers = headers(B, '2').map(([name, value]) => [name.toLowerCase(), value]);
    expect(answersOf([{ ...a, headers: headers(A, '1') }], [{ ...b, headers: same }])).toEqual([]);
  });

  it.each<[what: string, a: Answered, b: Answered, found: string[]]>([
    ['a status', {}, { status: 201 }, ['POST /agent/identity answer status: 200 → 201']],
    [
      'a status of another class, and then nothing else',
      { body: { a: 1 } },
      { status: 400, body: { error: 'x' } },
      ['POST /agent/identity answer status: 200 → 400'],
    ],
    [
      'a header',
      { headers: [['cache-control', 'no-store']] },
      {},
      ['POST /agent/identity answer header cache-control: no-store → absent'],
    ],
    [
      'a value',
      { body: { token_type: 'Bearer' } },
      { body: { token_type: 'bearer' } },
      ['POST /agent/identity answer member token_type: "Bearer" → "bearer"'],
    ],
    [
      'a type',
      { body: { expires_in: 3600 } },
      { body: { expires_in: '3600' } },
      ['POST /agent/identity answer member expires_in: number → string'],
    ],
    [
      'a lifetime',
      { body: { expires_in: 3600 } },
      { body: { expires_in: 60 } },
      ['POST /agent/identity answer member expires_in: 3600 → 60'],
    ],
    [
      'a member within, told once by what is absent',
      { body: { claim_attempt: { user_code: '‹12345678›', interval: 5 } } },
      { body: { attempt: {} } },
      [
        'POST /agent/identity answer member claim_attempt: object → absent',
        'POST /agent/identity answer member attempt: absent → object',
      ],
    ],
    [
      'the elements of a list, in any order',
      { body: { scopes: ['a', 'b', 'c'] } },
      { body: { scopes: ['c', 'd', 'a'] } },
      ['POST /agent/identity answer member scopes[]: "b" → "d"'],
    ],
    ['an empty list', { body: { scopes: ['a'] } }, { body: { scopes: [] } }, []],
    [
      'a token that is none',
      { body: { access_token: '‹12345678›' } },
      { body: { access_token: 7 } },
      ['POST /agent/identity answer member access_token: string → number'],
    ],
    ['a body that was cut', { body: '{"a":1' }, { body: '{"a":2' }, []],
  ])('differ in %s', (_what, a, b, found) => {
    expect(answersOf([a], [b]).map(({ what, was }) => `${what}: ${was}`)).toEqual(found);
  });

  it('are of the same step where one run had more of them, or another path', () => {
    const claim = {
      path: '/agent/claim',
      asked: { claim_token: '‹12345678›', email: 'a@example.com' },
    };
    const poll = { path: '/token', asked: 'grant_type=claim&claim_token=‹12345678›' };
    const pending = { ...poll, status: 400, body: { error: 'authorization_pending' } };
    const done = { ...poll, body: { token_type: 'Bearer' } };
    const elsewhere = { ...done, path: '/oauth2/token', body: { token_type: 'N_A' } };
    expect(answersOf([claim, pending, done], [claim, pending, elsewhere])).toEqual([
      { what: 'POST /token answer member token_type', was: '"Bearer" → "N_A"', count: 1 },
    ]);
    expect(answersOf([claim, pending, done], [claim, pending, pending, done])).toEqual([
      { what: 'POST /token answer step', was: 'not sent → sent', count: 1 },
    ]);
  });

  it('are counted once for each way in which they differ', () => {
    const [a, b] = [{ body: { active: true } }, { body: { active: false } }];
    expect(answersOf([a, a, a], [b, b, b])).toEqual([
      { what: 'POST /agent/identity answer member active', was: 'true → false', count: 3 },
    ]);
  });
});

describe('what the judged side sends', () => {
  it('is compared, and the answers that it gets are not', () => {
    const sent = (scheme: string, asked: object, status: number): Answered => ({
      ...{ asked, status, sent: [['authorization', `${scheme} ‹12345678›`]] },
    });
    const found = answersOf(
      [sent('Bearer', { type: 'anonymous' }, 200)],
      [sent('DPoP', { type: 'anonymous', scope: 'x' }, 400)],
      'agent',
    );
    expect(found.map(({ what, was }) => `${what}: ${was}`)).toEqual([
      'POST /agent/identity request header authorization: Bearer ‹…› → DPoP ‹…›',
      'POST /agent/identity request member scope: absent → string',
    ]);
  });
});

describe('the comparison as Markdown', () => {
  const hostile = (target: string, body: object) =>
    reportOf(target, [{ body, headers: [['location', HOSTILE]] }], {
      x: { status: 'fail', findings: [{ expected: HOSTILE, seen: HOSTILE }] },
    });

  it('lets nothing in by what a peer wrote', () => {
    const before = reportOf(`${HOSTILE}|`, [{ body: {} }], { x: 'pass' });
    const text = diffMarkdown(diffReports(before, hostile(HOSTILE, { [HOSTILE]: HOSTILE })));
    expect(text).toContain('❌ 1 check got worse.');
    expect(text).not.toMatch(
      /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
    );
    const rest = text.replace(/(?<![\\`])(`+) .*? \1(?!`)/g, '');
    expect(new Set(rest.match(/<[^>]*>/g))).toEqual(
      new Set(['<details open>', '<details>', '</details>', '<summary>', '</summary>', '<br>']),
    );
    expect(rest).not.toMatch(/:\/\//);
  });

  it('counted the requests above the answers as answers that differ', () => {
    const before = [
      { path: '/agent/identity', body: { expires_in: 1, scope: 'a' } },
      { path: '/oauth2/token', body: { token_type: 'Bearer' } },
    ];
    const after = [
      { path: '/agent/identity', body: { expires_in: 'soon', scope: 'b' } },
      { path: '/oauth2/token', body: { token_type: 'bearer' } },
    ];
    const diff = diffReports(reportOf(A, before), reportOf(B, after));
    const text = diffMarkdown(diff);
    expect(diff.answers.length).toBe(3);
    expect(text).toContain('Answers that differ (3)');
    expect(text.match(/^- `[^`]*`$/gm)).toHaveLength(2);
    expect(text.match(/^ {2}- /gm)).toHaveLength(3);
  });

  it('stays short enough for a comment', () => {
    const many = (value: string) =>
      Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`member_${i}x`, value]));
    const diff = diffReports(hostile(A, many('a'.repeat(300))), hostile(B, many('b'.repeat(300))));
    expect(diff.answers.length).toBe(2000);
    expect(diffMarkdown(diff).length).toBeLessThanOrEqual(60_000);
    expect(diffMarkdown(diff)).toMatch(/and \d+ more/);
  });
});
