import { wireProblem } from '../../../mock/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import type { ServiceDialect } from '../dialect.ts';
import type { Quirk } from './quirk.ts';

/** Starts of a claim have exactly these members; any other body is refused, as a strict schema does. */
function startingWith(
  names: readonly string[],
  isMeant: (members: JsonObject) => boolean = () => true,
): (right: ServiceDialect) => ServiceDialect {
  return (right) => ({
    ...right,
    claim: {
      ...right.claim,
      read: (members, rules) => {
        const wrong = wrongIn(Object.keys(members), names);
        const description = wrong ?? (isMeant(members) ? undefined : 'The type is not supported.');
        if (description !== undefined) {
          throw wireProblem('claim', 'invalid_request', { description });
        }
        const { type: _type, ...rest } = members;
        return right.claim.read(rest, rules);
      },
    },
  });
}

/** As schema libraries tell it: what is missing first. */
function wrongIn(given: readonly string[], names: readonly string[]): string | undefined {
  const missing = names.find((name) => !given.includes(name));
  if (missing !== undefined) return `The member ${missing} is missing.`;
  const extra = given.find((name) => !names.includes(name));
  return extra && `The member ${extra.slice(0, 64)} is unknown.`;
}

export const CLAIM_BODY_QUIRKS = {
  'claim-by-login-hint': {
    description: 'A claim is started with `claim_token` and `login_hint`, and nothing else.',
    fits: ['flat'],
    about: 'claim bodies',
    over: startingWith(['claim_token', 'login_hint']),
  },
  'claim-by-typed-hint': {
    description:
      'A claim is started with `type: login_hint`, `claim_token` and `login_hint` (v0.7).',
    fits: ['flat'],
    about: 'claim bodies',
    over: startingWith(['type', 'claim_token', 'login_hint'], ({ type }) => type === 'login_hint'),
  },
  'claim-by-token-only': {
    description:
      'A new claim attempt is asked for with `claim_token` alone, for the email of the registration.',
    fits: ['flat'],
    about: 'claim bodies',
    over: startingWith(['claim_token']),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
