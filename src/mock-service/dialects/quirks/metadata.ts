import type { JsonObject } from '../../../protocol/index.ts';
import { DIALECT_IDS } from '../../../protocol/index.ts';
import { claimGrantTypes } from '../../config/config.ts';
import type { ServiceDialect } from '../dialect.ts';
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

/** What a host of single-page apps serves for every path that is no file. */
const singlePage: NonNullable<ServiceDialect['elsewhere']> = () =>
  new Response('<!doctype html>\n<title>App</title>\n<div id="root"></div>\n', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

export const METADATA_QUIRKS = {
  'in-resource-metadata': {
    description: '`agent_auth` is in the metadata of the protected resource alone.',
    fits: DIALECT_IDS,
    over: (right) => ({ ...right, blockIn: 'resource' }),
  },
  'unhonoured-claim-grant': {
    description: 'The metadata lists a claim grant that the token endpoint does not know.',
    fits: ['nested'],
    over: (right) => ({
      ...right,
      metadata: (config) => {
        const members = right.metadata(config);
        const listed = members['grant_types_supported'];
        const grants = Array.isArray(listed) ? listed : [];
        return { ...members, grant_types_supported: [...grants, ...claimGrantTypes(config)] };
      },
    }),
  },
  'single-page-app': {
    description: 'Every path that nothing else answers is 200 with a page of HTML.',
    fits: DIALECT_IDS,
    over: (right) => ({ ...right, elsewhere: singlePage }),
  },
  'both-name-sets': {
    description:
      'The metadata names each endpoint twice: `register_uri` and `identity_endpoint`, and so on.',
    fits: DIALECT_IDS,
    over: (right) => ({
      ...right,
      metadata: (config) => {
        const members = right.metadata(config);
        return { ...members, agent_auth: withAliases(members.agent_auth) };
      },
    }),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
