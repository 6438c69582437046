import type { PassiveRule } from '../passive-rule.ts';
import { errorOf, fingerprintOf, isSuccess, membersOf } from '../read-exchange.ts';
import { Repeats } from './repeats.ts';

/** A user who asks again and again does not reach this; a loop of polls does. */
const LIMITS = { most: 10, within: 120_000 };

const FINAL: ReadonlySet<string> = new Set(['access_denied', 'expired_token', 'invalid_grant']);

export const pollAfterEnd: PassiveRule = {
  id: 'poll-after-end',
  requirements: [{ id: 'DEV-05', level: 'must', by: 'agent' }],
  finds: 'polls on with a claim token, or a device code, although the answer is final',
  spares:
    'what was polled less than ten times in two minutes, polls after a new attempt, or after a refused exchange or call, which the wire contract asks for (§6.5)',
  watch: () => {
    let repeats = new Repeats(LIMITS);
    return ({ exchange, from, step }) => {
      const body = membersOf(exchange.request.body);
      if (step !== 'poll' && step !== 'device_poll') {
        const token = fingerprintOf(body['claim_token']);
        if (step === 'open_claim' && token !== undefined) repeats.forget(token);
        // One poll is to follow it, whoever's it was.
        if (from === 'agent' && (exchange.status ?? 0) >= 400) repeats = new Repeats(LIMITS);
        return [];
      }
      const token = fingerprintOf(body['claim_token']) ?? fingerprintOf(body['device_code']);
      if (token === undefined) return [];
      const error = errorOf(exchange);
      if (error === undefined || !FINAL.has(error)) {
        if (isSuccess(exchange) || error === 'authorization_pending') repeats.forget(token);
        return [];
      }
      if (!repeats.refused(token, exchange)) return [];
      const message = `Polled on and on though the answer is final (${error}). Stop, and tell the user.`;
      return [{ requirement: 'DEV-05', message }];
    };
  },
};
