import { covers, displayText, IDENTITY_TYPES, isSameOrigin } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { ServiceDraft } from '../dialects/index.ts';
import { requireEndpoint, requirePeerUrl, type UrlPolicy } from '../http/url-policy.ts';
import type { Service } from '../model.ts';
import type { Hops } from './hops.ts';

export interface Claimed {
  readonly issuer: string;
  readonly candidates: Service['candidates'];
  readonly draft: ServiceDraft;
  /** From the protected resource metadata; `undefined` when discovery began at the issuer. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
}

/**
 * A service whose every URL was checked.
 * @throws AgentError `foreign_origin`, `resource_mismatch` or `metadata_invalid`.
 */
export function judgeService(policy: UrlPolicy, claimed: Claimed, hops: Hops): Service {
  const { draft, issuer } = claimed;
  const endpoint = (url: string, what: string): string => {
    const checked = requireEndpoint(policy, issuer, url, what);
    if (!isSameOrigin(checked, issuer)) {
      hops.warn(
        'foreign_endpoint_allowed',
        `${what} is on ${new URL(checked).origin}, as you allowed.`,
      );
    }
    return checked;
  };
  const optional = (url: string | undefined, what: string) =>
    url === undefined ? undefined : endpoint(url, what);

  return {
    ...draft,
    issuer,
    candidates: claimed.candidates,
    resource: chooseResource(policy, claimed),
    name: claimed.name ?? draft.name,
    identityEndpoint: endpoint(draft.identityEndpoint, 'The identity endpoint'),
    claimEndpoint: optional(draft.claimEndpoint, 'The claim endpoint'),
    codeEndpoint: optional(draft.codeEndpoint, 'The endpoint for codes'),
    tokenEndpoint: optional(draft.tokenEndpoint, 'The token endpoint'),
    revocationEndpoint: optional(draft.revocationEndpoint, 'The revocation endpoint'),
    identityTypes: IDENTITY_TYPES.filter((type) => draft.identityTypes.includes(type)),
  };
}

/**
 * The resource that tokens are for. Where the server metadata names a resource, it must cover the one that
 * discovery began at: otherwise a foreign resource could name that server and collect its tokens.
 */
function chooseResource(policy: UrlPolicy, { draft, issuer, resource }: Claimed): string {
  const named = draft.resource;
  if (named === undefined) return resource ?? issuer;
  requirePeerUrl(policy, named, 'The resource in the server metadata', issuer);
  const reached = resource ?? issuer;
  if (resource === undefined ? isSameOrigin(named, issuer) : covers(named, resource)) return named;
  throw new AgentError(
    `The authorization server serves ${displayText(named, 100)}, not ${displayText(reached, 100)}.`,
    {
      code: 'resource_mismatch',
      hint: 'Discover the service by the URL of its resource.',
      // No next step where a resource named the server: that resource may be foreign, and must not choose
      // where the user goes.
      next: resource === undefined ? { command: 'discover', args: [named] } : undefined,
    },
  );
}
