import type { JsonObject } from '../../../protocol/index.ts';
import { DIALECT_NAMES } from '../dialect-names.ts';
import type { Quirk } from './quirk.ts';

/** The names of the endpoints, the first revision's and those since v0.2. */
const ALIASES: readonly (readonly [first: string, later: string])[] = [
  ['register_uri', 'identity_endpoint'],
  ['claim_uri', 'claim_endpoint'],
  ['revocation_uri', 'events_endpoint'],
];

function withAliases(block: JsonObject): JsonObject {
  const added = ALIASES.flatMap(([first, later]) => {
    const url = block[first] ?? block[later];
    return url === undefined ? [] : [[first, url] as const, [later, url] as const];
  });
  return { ...block, ...Object.fromEntries(added) };
}

export const METADATA_QUIRKS = {
  'both-name-sets': {
    description:
      'The metadata names each endpoint twice: `register_uri` and `identity_endpoint`, and so on.',
    fits: DIALECT_NAMES,
    over: (right) => ({
      ...right,
      metadata: (config) => {
        const members = right.metadata(config);
        return { ...members, agent_auth: withAliases(members.agent_auth) };
      },
    }),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
