import type { Recognition } from '../../discovery/index.ts';
import {
  covers,
  displayText,
  displayWord,
  IDENTITY_TYPES,
  isSameOrigin,
  type JsonObject,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { requireEndpoint, requirePeerUrl } from '../http/url-policy.ts';
import type { Service } from '../model.ts';
import type { Hops } from './hops.ts';

/** Who a service is, before any URL in its metadata is checked. */
export interface Claimed {
  readonly issuer: string;
  /** Where agents register. */
  readonly register: string;
  readonly candidates: Service['candidates'];
  /** The resource of the protected resource metadata; `undefined` when discovery began at the issuer. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
}

/**
 * A service in which agents can register, every URL of it checked.
 * @throws AgentError `foreign_origin`, `resource_mismatch` or `metadata_invalid`.
 */
export function judgeService(recognition: Recognition, claimed: Claimed, hops: Hops): Service {
  const { endpoints, credentialTypes } = recognition;
  const { candidates, issuer, name = recognition.name, register } = claimed;
  const endpoint = (url: string, what: string): string => {
    const checked = requireEndpoint(hops.policy, issuer, url, what);
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
  const tokens = isOfSignIn(recognition) ? undefined : endpoints.token;

  return {
    issuer,
    candidates,
    resource: chooseResource(recognition.serverResource, claimed, hops),
    name,
    identityEndpoint: endpoint(register, 'The identity endpoint'),
    claimEndpoint: optional(endpoints.claim, 'The claim endpoint'),
    codeEndpoint: optional(endpoints.complete, 'The endpoint for codes'),
    tokenEndpoint: optional(tokens, 'The token endpoint'),
    revocationEndpoint: optional(endpoints.revocation, 'The revocation endpoint'),
    eventsEndpoint: endpoints.events,
    skill: endpoints.skill,
    identityTypes: IDENTITY_TYPES.filter((type) => recognition.identityTypes.includes(type)),
    assertionTypes: recognition.assertionTypes,
    emailForm: recognition.emailForm,
    credentialTypes: credentialTypes.length === 0 ? undefined : credentialTypes,
    credentialHeader: recognition.credentialHeader,
    scopes: recognition.scopes,
    claimGrantType: recognition.claimGrantType,
  };
}

/**
 * Whether the token endpoint is that of ordinary sign-in alone, beside registrations that give a credential
 * themselves: nothing of the agent is to be sent there.
 */
function isOfSignIn({ families, defects }: Recognition): boolean {
  return (
    families.every((family) => family === 'first') &&
    defects.some(({ rule }) => rule === 'grants-unfit')
  );
}

/**
 * The resource that tokens are for. Where the server metadata names a resource, it must cover the one that
 * discovery began at: otherwise a foreign resource could name that server and collect its tokens.
 */
function chooseResource(
  named: string | undefined,
  { issuer, resource }: Claimed,
  { policy }: Hops,
): string {
  if (named === undefined) return resource ?? issuer;
  requirePeerUrl(policy, named, 'The resource in the server metadata', issuer);
  const reached = resource ?? issuer;
  if (resource === undefined ? isSameOrigin(named, issuer) : covers(named, resource)) return named;
  throw new AgentError(
    `The authorization server serves ${displayWord(named, 100)}, not ${displayText(reached, 100)}.`,
    {
      code: 'resource_mismatch',
      hint: 'Discover the service by the URL of its resource.',
      // No next step where a resource named the server: that resource may be foreign, and must not choose
      // where the user goes.
      next: resource === undefined ? { command: 'discover', args: [named] } : undefined,
    },
  );
}

/** Members that the agent goes by under these names, and what each must be where it is given. */
const MUST_BE = {
  token_endpoint: 'a URL',
  revocation_endpoint: 'a URL',
  grant_types_supported: 'a list',
} as const;

/**
 * A known member that is malformed is an error (ASM-09), though nothing in it would be used: the rest of such
 * a document is not to be trusted either.
 * @throws AgentError `metadata_invalid`.
 */
export function requireWellFormed(document: JsonObject): void {
  for (const [name, kind] of Object.entries(MUST_BE)) {
    const value = document[name];
    if (value === undefined || value === null) continue;
    if (kind === 'a list' ? Array.isArray(value) : isWebUrl(value)) continue;
    throw new AgentError(
      `The authorization server metadata cannot be used: ${name} is not ${kind}.`,
      { code: 'metadata_invalid' },
    );
  }
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value);
}
