import { WireProblem, wireProblem } from '../../mock/http/response.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import type { ServiceConfig } from '../config/config.ts';
import { leastScopes } from '../config/scopes.ts';
import type { IdJag } from '../id-jag/id-jag-checks.ts';

/** What the redeemed token is for. */
export interface RedemptionTarget {
  readonly scopes: readonly string[];
  readonly resource: string;
}

/** What the request names. */
export interface Asked {
  readonly scopes: readonly string[] | undefined;
  readonly resource: string | undefined;
}

/**
 * The one resource, and what both the claim and the request allow of its scopes
 * (draft-ietf-oauth-identity-assertion-authz-grant §4.4.1, RFC 8707 §2.2).
 * @param namedScope the claim `scope`; without it the least that this service gives.
 * @returns a WireProblem `invalid_target`, `invalid_scope`, or `invalid_grant` where nothing is left of the claim.
 */
export function redemptionTarget(
  { resources }: Pick<IdJag, 'resources'>,
  namedScope: string | undefined,
  asked: Asked,
  config: Pick<ServiceConfig, 'issuer' | 'scopes' | 'servesMcp'>,
): RedemptionTarget | WireProblem {
  const { postClaim } = config.scopes;
  const limits = resources.map(withoutFinalSlash);
  const resource = oneOf(limits, asked.resource && withoutFinalSlash(asked.resource), config);
  if (resource instanceof WireProblem) return resource;
  const claimed = namedScope?.split(' ') ?? leastScopes(config.scopes);
  const allowed = postClaim.filter((scope) => claimed.includes(scope));
  if (allowed.length === 0 && postClaim.length > 0) return wireProblem('token', 'invalid_grant');
  const granted = allowed.filter((scope) => asked.scopes?.includes(scope) ?? true);
  if (granted.length === 0 && asked.scopes !== undefined)
    return wireProblem('token', 'invalid_scope');
  return { scopes: granted, resource };
}

/** Where neither says which, it is the base, if the service is one resource. */
function oneOf(
  limits: readonly string[],
  asked: string | undefined,
  { issuer, servesMcp }: Pick<ServiceConfig, 'issuer' | 'servesMcp'>,
): string | WireProblem {
  if (asked !== undefined) {
    if (limits.length === 0 || limits.includes(asked)) return asked;
    return beyond();
  }
  const [first, another] = limits;
  if (another !== undefined || (first === undefined && servesMcp)) return beyond();
  return first ?? issuer;
}

function beyond(): WireProblem {
  const description = 'Which resource is meant? Name one that the ID-JAG is for.';
  return wireProblem('token', 'invalid_target', { description });
}
