import type { Explained } from '../../../traffic/index.ts';
import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf, errorOf, fingerprintOf, membersOf, statusOf } from '../read-exchange.ts';
import { Repeats } from './repeats.ts';

/** A user who tries again and again does not reach this; a loop does at once. */
const LIMITS = { most: 10, within: 60_000 };

export const refusedAgain: PassiveRule = {
  id: 'refused-again',
  requirements: [
    { id: 'BRR-11', level: 'should', by: 'agent' },
    { id: 'AMD-09', level: 'should', by: 'agent' },
  ],
  finds: 'sends a token, or an assertion, on and on that was refused as invalid',
  spares:
    'what was refused less than ten times in a minute, anything that was tried in between, and requests that were under way together',
  watch: () => {
    let last = '';
    let repeats = new Repeats(LIMITS);
    return (explained) => {
      const { exchange, from } = explained;
      if (from !== 'agent') return [];
      const tried = triedIn(explained);
      if (tried?.secret !== last) repeats = new Repeats(LIMITS);
      last = tried?.secret ?? '';
      if (tried === undefined || !repeats.refused(tried.secret, exchange)) return [];
      if (tried.as === 'token') {
        const message =
          'An access token is sent on and on that is answered 401. Exchange the assertion once; if that does not help, stop.';
        return [{ requirement: 'BRR-11', message }];
      }
      const message =
        'An assertion is sent on and on that is refused with invalid_grant. It stays invalid: stop.';
      return [{ requirement: 'AMD-09', message }];
    };
  },
};

/** The token or the assertion that was refused as invalid. */
function triedIn({
  exchange,
  step,
}: Explained): { readonly as: 'token' | 'assertion'; readonly secret: string } | undefined {
  if (step === 'call') {
    const secret = statusOf(exchange) === 401 ? bearerOf(exchange) : undefined;
    return secret === undefined ? undefined : { as: 'token', secret };
  }
  if ((step !== 'exchange' && step !== 'redeem') || errorOf(exchange) !== 'invalid_grant')
    return undefined;
  const secret = fingerprintOf(membersOf(exchange.request.body)['assertion']);
  return secret === undefined ? undefined : { as: 'assertion', secret };
}
