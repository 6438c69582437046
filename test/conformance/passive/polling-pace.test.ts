import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/traffic/index.ts';
import { judged } from './judge-exchanges.ts';

const CLAIM_TOKEN = 'secret~claimAAA';
const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;
const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body,
  bodyState: 'whole' as const,
  bytes: 1,
});

/** After so many milliseconds a poll comes, and is answered with this, after so many more. */
type Poll = readonly [wait: number, error: string, duration?: number];

const PENDING = 'authorization_pending';
const SLOW = 'slow_down';

/** What is found in each poll of a claim whose interval is 5 s. */
function found(...polls: readonly Poll[]): readonly (readonly string[])[] {
  const base = { to: 'service', duration: 1, method: 'POST', request: MESSAGE } as const;
  const claim = { user_code: 'secret~codeAAAA', interval: 5, expires_in: 600 };
  const path = '/agent/identity/claim';
  const opened = {
    ...base,
    ...{ seq: 1, at: 0, path, url: `https://a.example${path}`, status: 200 },
    request: json({ claim_token: CLAIM_TOKEN }),
    response: json({ registration_id: 'reg_1', claim_attempt: claim }),
  };
  let now = 0;
  const exchanges: readonly Exchange[] = polls.map(([wait, error, duration = 1], index) => {
    now += wait;
    return {
      ...base,
      ...{ seq: index + 2, at: now, duration, status: 400 },
      ...{ path: '/oauth2/token', url: 'https://a.example/oauth2/token' },
      request: {
        ...json({
          grant_type: 'urn:vendor:agent-auth:grant-type:claim',
          claim_token: CLAIM_TOKEN,
        }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      response: json({ error }),
    };
  });
  const findings = judged([opened, ...exchanges]);
  return exchanges.map(({ seq }) =>
    findings
      .filter((each) => each.seq === seq)
      .map(
        ({ also, message, requirement, times }) =>
          `${[requirement, ...also].join('+')} ${/\d+ s(?=\.$| are)/.exec(message)?.[0]} ×${times}`,
      ),
  );
}

describe('the pace of polls', () => {
  it('that no slow_down changes is one mistake, counted, with the interval that each of them raised', () => {
    const polls = [PENDING, SLOW, SLOW, SLOW, SLOW, SLOW].map((error): Poll => [500, error]);
    expect(found(...polls)).toEqual([
      [],
      [],
      ['DEV-03+DEV-04 10 s ×1'],
      ['DEV-03+DEV-04 15 s ×2'],
      ['DEV-03+DEV-04 20 s ×3'],
      ['DEV-03+DEV-04 25 s ×4'],
    ]);
  });

  it('that stays at the first interval after slow_down breaks that alone', () => {
    expect(found([5_000, PENDING], [5_000, SLOW], [5_000, SLOW], [5_000, SLOW])).toEqual([
      [],
      [],
      [],
      ['DEV-04 15 s ×1'],
    ]);
  });

  it('that was too quick without any slow_down breaks the interval alone', () => {
    expect(found([500, PENDING], [500, PENDING], [500, PENDING])).toEqual([
      [],
      [],
      ['DEV-03 5 s ×1'],
    ]);
  });

  it('that grows with each slow_down is right', () => {
    const polls: readonly Poll[] = [
      [5_000, SLOW],
      [10_000, SLOW],
      [15_000, SLOW],
      [20_000, PENDING],
      [19_100, PENDING],
    ];
    expect(found(...polls).flat()).toEqual([]);
  });

  it('is not raised by a slow_down that came after the next poll was sent', () => {
    const polls: readonly Poll[] = [
      [5_000, PENDING],
      [5_000, SLOW, 6_000],
      [5_000, PENDING],
      [10_000, SLOW, 11_000],
      [10_000, PENDING],
    ];
    expect(found(...polls).flat()).toEqual([]);
  });
});
