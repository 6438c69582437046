import { describe, expect, it } from 'vitest';
import { Judge } from '../../../src/conformance/engine/judge.ts';
import * as rows from '../../../src/conformance/engine/rows.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';

const answer = new Answer(
  401,
  [
    ['content-type', 'application/json; charset=utf-8'],
    ['cache-control', 'No-Store, private'],
    ['www-authenticate', 'Bearer error="invalid_token"'],
  ],
  '{"error":"invalid_token","list":["a"]}',
  1,
  7,
);

describe('a row of an answer', () => {
  it.each([
    ['status', rows.status(400, 401), rows.status(200)],
    ['errorCode', rows.errorCode('invalid_token'), rows.errorCode('invalid_grant')],
    ['member', rows.member('list', rows.has('a')), rows.member('list', rows.has('b'))],
    ['header', rows.header('X-None', rows.isAbsent), rows.header('X-None', rows.isPresent)],
    ['mediaType', rows.mediaType('application/json'), rows.mediaType('text/html')],
    [
      'challenge',
      rows.challenge('error', rows.is('invalid_token')),
      rows.challenge('scope', rows.isPresent),
    ],
  ])('%s is right where it fits, and wrong elsewhere', (_name, right, wrong) => {
    expect([right(answer).ok, wrong(answer).ok]).toEqual([true, false]);
  });

  it('shows what it read', () => {
    const judge = new Judge({ code: 'It fits.', list: 'It fits.', type: 'It fits.' });
    judge.table(answer, {
      code: rows.errorCode('invalid_grant'),
      list: rows.member('list', rows.isText),
      type: rows.mediaType('text/html'),
    });
    expect([...judge.verdicts().values()].map(({ failures }) => failures[0]?.seen)).toEqual([
      '401: {"error":"invalid_token","list":["a"]}',
      '"list": ["a"]',
      'Content-Type: application/json; charset=utf-8',
    ]);
  });

  it('of a member never shows a token', () => {
    const token = 'ab.cd+ef';
    const names = ['access_token', 'identity_assertion', 'claim_token', 'refresh_token'];
    for (const subject of names.flatMap((name) => [
      { [name]: token },
      { token: 'x', claim: { [name]: token } },
      new Answer(200, [], JSON.stringify({ [name]: token }), 1, 1),
    ])) {
      const judge = new Judge({ none: 'It has none.' });
      for (const name of [...names, 'claim', 'token']) {
        judge.table<typeof subject>(subject, { none: rows.member(name, () => false) });
      }
      const { failures = [] } = judge.verdicts().get('none') ?? {};
      expect(failures).toHaveLength(names.length + 2);
      expect(JSON.stringify(failures)).not.toContain(token);
      expect(JSON.stringify(failures)).toContain('‹');
    }
  });

  it('shows the start of what is long', () => {
    const judge = new Judge({ list: 'It fits.' });
    judge.table({ list: 'x'.repeat(1000) }, { list: rows.member('list', rows.isAbsent) });
    const [failure] = judge.verdicts().get('list')?.failures ?? [];
    expect(failure?.seen).toBe(`"list": "${'x'.repeat(291)}…`);
  });

  it('of a refusal takes 4xx alone, and of a cache no-store in any case', () => {
    expect(rows.refused(answer).ok).toBe(true);
    expect(rows.refused(new Answer(500, [], '', 1, 1)).ok).toBe(false);
    expect(rows.noStore(answer).ok).toBe(true);
    expect(rows.noStore(new Answer(200, [], '', 1, 1)).ok).toBe(false);
  });
});

it('a row of a document reads its member; a test that does not apply passes', () => {
  const claims = { aud: 'x' };
  expect(rows.member('aud', rows.is('x'))(claims).ok).toBe(true);
  expect(rows.member('aud', rows.when(false, rows.is('y')))(claims).ok).toBe(true);
  expect(rows.member('aud', rows.when(true, rows.not(rows.is('y'))))(claims).ok).toBe(true);
  expect(rows.member('iss', rows.isText)(claims)).toEqual({ ok: false, seen: '"iss": nothing' });
});
