import { CLAIM_GRANT_ENDINGS, REVOKED_EVENT_ENDING } from '../../protocol/index.ts';
import { isObject } from '../http/answer.ts';
import type { CrossAppFacts } from './cross-app/cross-app.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the documents of the judged service say, read leniently: what is missing or ill-typed is undefined. */
export interface ServiceFacts {
  /** A protected URL that answered 401, when there is one. */
  readonly resource: string | undefined;
  /** Why there is none, as a sentence that names what was asked. */
  readonly resourceMissing?: string;
  readonly resourceMetadata: Json;
  readonly metadata: Json;
  readonly agentAuth: Json;
  readonly issuer: string;
  readonly tokenEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  readonly jwksUri: string | undefined;
  readonly identityEndpoint: string | undefined;
  readonly claimEndpoint: string | undefined;
  readonly eventsEndpoint: string | undefined;
  readonly skill: string | undefined;
  readonly identityTypes: readonly string[];
  readonly grantTypes: readonly string[];
  /** The first grant type that is a claim grant. */
  readonly claimGrant: string | undefined;
  /** The event type that revokes an identity assertion. */
  readonly revokedEvent: string | undefined;
  /** What of cross-app access there is to judge. */
  readonly crossApp?: CrossAppFacts;
}

export function readFacts(
  resource: string | undefined,
  resourceMetadata: unknown,
  metadata: unknown,
): ServiceFacts {
  const server = isObject(metadata) ? metadata : {};
  const agentAuth = isObject(server['agent_auth']) ? server['agent_auth'] : {};
  const grantTypes = strings(server['grant_types_supported']);
  return {
    resource,
    resourceMetadata: isObject(resourceMetadata) ? resourceMetadata : {},
    metadata: server,
    agentAuth,
    issuer: string(server['issuer']) ?? '',
    tokenEndpoint: url(server['token_endpoint']),
    revocationEndpoint: url(server['revocation_endpoint']),
    jwksUri: url(server['jwks_uri']),
    identityEndpoint: url(agentAuth['identity_endpoint']),
    claimEndpoint: url(agentAuth['claim_endpoint']),
    eventsEndpoint: url(agentAuth['events_endpoint']),
    skill: url(agentAuth['skill']),
    identityTypes: strings(agentAuth['identity_types_supported']),
    grantTypes,
    claimGrant:
      string(agentAuth['claim_grant_type']) ??
      grantTypes.find((type) => CLAIM_GRANT_ENDINGS.some((ending) => type.endsWith(ending))),
    revokedEvent: strings(agentAuth['events_supported']).find((type) =>
      type.endsWith(REVOKED_EVENT_ENDING),
    ),
  };
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function url(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? value : undefined;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
