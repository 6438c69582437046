import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { IdJag } from '../id-jag/id-jag-checks.ts';
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

/** A check of an ID-JAG at the token endpoint. Whatever fails is `invalid_grant` on the wire, with one text. */
export interface RedemptionCheck {
  readonly name: string;
  /** The claim that it is about. */
  readonly claim: string;
  /** What passes; for the documentation. */
  readonly description: string;
  /** What would have passed, for the log. Left out: as the description says. */
  readonly expected?: (facts: RedemptionFacts) => string;
  readonly holds: (facts: RedemptionFacts) => boolean;
}

/** What a registration demands as well. */
const SHARED_CLAIMS: ReadonlyMap<string, string> = new Map([
  ['expiry', 'exp'],
  ['issuance', 'iat'],
  ['not-before', 'nbf'],
  ['lifetime', 'exp'],
  ['resource', 'resource'],
]);

const SHARED = ID_JAG_CHECKS.flatMap(({ check, description, name }): RedemptionCheck | [] => {
  const claim = SHARED_CLAIMS.get(name);
  if (claim === undefined) return [];
  // Of the codes there, none is told here.
  const plain = description.replace(/, or `\w+`\.$/, '.');
  return {
    name,
    claim,
    description: plain,
    ...(claim !== 'resource' && {
      expected: ({ now }) => `${plain} It is ${Math.floor(now / SECOND)} now.`,
    }),
    holds: (facts: RedemptionFacts) => check(facts) === undefined,
  };
});

/** The checks in their order (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1, RFC 7523 §3). */
export const REDEMPTION_CHECKS: readonly RedemptionCheck[] = [
  {
    name: 'audience',
    claim: 'aud',
    expected: ({ idJag: { audiences }, config }) =>
      audiences.some((each) => withoutFinalSlash(each) === config.issuer)
        ? `${config.issuer} alone, without a final slash`
        : config.issuer,
    description: '`aud` is the issuer of this service, as a string or a list of one.',
    holds: ({ idJag: { audiences }, config }) =>
      audiences.length === 1 && audiences[0] === config.issuer,
  },
  {
    name: 'client',
    claim: 'client_id',
    expected: ({ clientId }) => clientId,
    description: '`client_id` is the client that authenticated.',
    holds: ({ idJag, clientId }) => idJag.clientId === clientId,
  },
  ...SHARED,
  {
    name: 'bound-key',
    claim: 'cnf',
    description:
      'There is no `cnf`: proofs of possession are not supported, so a bound ID-JAG is refused.',
    holds: ({ claims }) => !('cnf' in claims),
  },
  {
    name: 'authorization-details',
    claim: 'authorization_details',
    description: 'There are no `authorization_details`: none are supported (RFC 9396 §5).',
    holds: ({ claims }) => !('authorization_details' in claims),
  },
];
