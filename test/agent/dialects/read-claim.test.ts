import { describe, expect, it } from 'vitest';
import {
  readClaimStart,
  readCompletion,
  readPolled,
} from '../../../src/agent/dialects/read-claim.ts';
import { DIALECT_IDS } from '../../../src/protocol/index.ts';
import { answerOf, NOW } from './answer-of.ts';

const PAGE = 'https://service.example/claim';

describe.each(DIALECT_IDS)('a claim that is written in %s', (id) => {
  it.each<[string, object, object]>([
    ['expires_in as text', { expires_in: '3600' }, { expiresAt: NOW + 3_600_000 }],
    ['an end that is no time', { expires_in: 'soon' }, { expiresAt: null }],
    [
      'scope as a list',
      { scope: ['api.read', 'api.write'] },
      { scopes: ['api.read', 'api.write'] },
    ],
  ])('was lost to %s: it is read, with a warning', (_what, over, token) => {
    const answer = answerOf({ access_token: 'at_1', token_type: 'Bearer', ...over });
    for (const grant of [readPolled(id, answer), readCompletion(answer)]) {
      expect(grant).toMatchObject({
        token,
        warnings: [{ code: 'token_member_type' }],
      });
    }
  });

  it('lost the scopes of a completion without a token', () => {
    const done = answerOf({ status: 'claimed', scopes: ['api.read', 'api.admin'] });
    expect(readCompletion(done)).toMatchObject({ scopes: ['api.read', 'api.admin'] });
  });

  it.each<[string, object]>([
    ['beside the attempt', { claim_token: 'clm_2' }],
    ['in an object', { claim: { token: 'clm_2' } }],
  ])('went on with the claim token of before, where it was given another %s', (_where, more) => {
    const attempt = { verification_uri: PAGE, user_code: '012345', expires_in: 600 };
    const started = readClaimStart(id, answerOf({ claim_attempt: attempt, ...more }));
    expect(started.kind === 'attempt' && started.claimToken?.reveal()).toBe('clm_2');
  });

  it('showed its code for ten minutes, whatever its expires_at said', () => {
    const expires_at = new Date(NOW + 300_000).toISOString();
    const attempt = { verification_uri: PAGE, user_code: '012345', expires_at };
    expect(readClaimStart(id, answerOf({ claim_attempt: attempt }))).toMatchObject({
      attempt: { kind: 'type_there', expiresAt: NOW + 300_000, interval: 5000 },
    });
  });
});
