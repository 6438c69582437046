import type { JsonObject } from '../../protocol/json.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { IdJag } from '../id-jag/id-jag.ts';
import { ID_JAG_CHECKS } from '../id-jag/id-jag-checks.ts';

/** What the redemption of an ID-JAG is decided on: its signature, its `typ` and its issuer are right. */
export interface RedemptionFacts {
  readonly idJag: IdJag;
  /** All its claims, as they were signed. */
  readonly claims: JsonObject;
  /** The client that authenticated. */
  readonly clientId: string;
  readonly config: ServiceConfig;
  readonly now: number;
}

/** One check of an ID-JAG at the token endpoint. Whatever fails is `invalid_grant` on the wire, with one text. */
export interface RedemptionCheck {
  readonly name: string;
  /** What passes; for the documentation. */
  readonly description: string;
  readonly holds: (facts: RedemptionFacts) => boolean;
}

/** What a registration demands as well. */
const SHARED: readonly RedemptionCheck[] = ID_JAG_CHECKS.filter(({ name }) =>
  ['expiry', 'issuance', 'not-before', 'lifetime', 'resource'].includes(name),
).map(({ check, description, name }) => ({
  name,
  // Of the codes there, none is told here.
  description: description.replace(/, or `\w+`\.$/, '.'),
  holds: (facts) => check(facts) === undefined,
}));

/** In this order (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1, RFC 7523 §3). */
export const REDEMPTION_CHECKS: readonly RedemptionCheck[] = [
  {
    name: 'audience',
    description: '`aud` is the issuer of this service, as a string or a list of one.',
    holds: ({ idJag: { audiences }, config }) =>
      audiences.length === 1 && audiences[0] === config.issuer,
  },
  {
    name: 'client',
    description: '`client_id` is the client that authenticated.',
    holds: ({ idJag, clientId }) => idJag.clientId === clientId,
  },
  ...SHARED,
  {
    name: 'bound-key',
    description:
      'There is no `cnf`: proofs of possession are not supported, so a bound ID-JAG is refused.',
    holds: ({ claims }) => !('cnf' in claims),
  },
  {
    name: 'authorization-details',
    description: 'There are no `authorization_details`: none are supported (RFC 9396 §5).',
    holds: ({ claims }) => !('authorization_details' in claims),
  },
];
