import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { forgeJwt, makeKey } from '../../../src/conformance/jwt/forge.ts';
import { readClaimBlock, toldEnd } from '../../../src/conformance/service/claim-block.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const END = NOW + 600_000;

const answer = (body: object) =>
  new Answer(200, [['date', new Date(NOW).toUTCString()]], JSON.stringify(body), 1, 1);

const endOf = (body: object, token?: string) =>
  toldEnd(answer(body), 'claim_token_expires', { now: NOW, token });

describe('the end of a window', () => {
  it.each([
    ['an instant', { claim_token_expires: '2026-11-23T10:10:00Z' }],
    ['an instant by its usual name', { claim_token_expires_at: '2026-11-23T10:10:00.000Z' }],
    ['seconds since the epoch', { claim_token_expires_at: END / 1000 }],
    ['milliseconds since the epoch', { claim_token_expires_at: END }],
    ['seconds that are left', { claim_token_expires_in: 600 }],
    ['seconds that are left, as text', { claim_token_expires_in: '600' }],
    ['seconds that are left, under the other name', { claim_token_expires: 600 }],
  ])('is read from %s', (_what, body) => {
    expect(endOf(body)).toBe(END);
  });

  it('is that of the token itself where nothing else says it', () => {
    const key = makeKey();
    const token = forgeJwt({ alg: key.algorithm }, { exp: END / 1000 }, key);
    expect(endOf({}, token)).toBe(END);
    expect(endOf({}, 'opaque')).toBeUndefined();
  });
});

describe('the seconds of a claim', () => {
  const block = { user_code: '123', verification_uri: 'https://service.example/claim' };
  const secondsOf = (more: object) => readClaimBlock(answer({ claim: { ...block, ...more } }));

  it.each([
    [{ expires_in: 600 }, 600],
    [{ expires_at: '2026-11-23T10:10:00Z' }, 600],
    [{ expires_at: END / 1000 }, 600],
    [{}, undefined],
  ])('are read from %j', (more, seconds) => {
    expect(secondsOf(more)?.expiresIn).toBe(seconds);
  });
});
