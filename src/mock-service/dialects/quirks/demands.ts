import { wireProblem } from '../../../mock/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { DIALECT_IDS } from '../../../protocol/index.ts';
import type { ServiceDialect } from '../dialect.ts';
import type { Quirk } from './quirk.ts';

/** A registration without this member is refused with a sentence that names it. */
function registeringWith(member: string): (right: ServiceDialect) => ServiceDialect {
  return (right) => ({
    ...right,
    registration: {
      ...right.registration,
      read: (members: JsonObject, rules) => {
        const given = members[member];
        if (typeof given !== 'string' || given === '') {
          throw wireProblem('identity', 'invalid_request', {
            description: `${member} is missing.`,
          });
        }
        return right.registration.read(members, rules);
      },
    },
  });
}

export const DEMAND_QUIRKS = {
  'required-client-id': {
    description: 'A registration needs a `client_id`.',
    fits: DIALECT_IDS,
    over: registeringWith('client_id'),
  },
  'required-member': {
    description: 'A registration needs `source`, which no document names.',
    fits: DIALECT_IDS,
    over: registeringWith('source'),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
