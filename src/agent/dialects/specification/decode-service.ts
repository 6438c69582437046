import {
  authorizationServerMetadata,
  CLAIM_GRANT_ENDINGS,
  displayText,
  type JsonObject,
} from '../../../protocol/index.ts';
import { parseMetadata } from '../../http/parse-metadata.ts';
import type { ServiceDraft } from '../dialect.ts';

/** @throws AgentError `metadata_invalid` when a known member is malformed (ASM-09). */
export function decodeService(document: JsonObject): ServiceDraft | undefined {
  if (document['agent_auth'] === undefined) return undefined;
  const metadata = parseMetadata(
    document,
    'The authorization server metadata',
    authorizationServerMetadata,
  );
  const agentAuth = metadata.agent_auth;
  if (agentAuth === undefined) return undefined;
  return {
    resource: metadata.resource,
    name:
      metadata.resource_name === undefined ? undefined : displayText(metadata.resource_name, 80),
    identityEndpoint: agentAuth.identity_endpoint,
    claimEndpoint: agentAuth.claim_endpoint,
    tokenEndpoint: metadata.token_endpoint,
    revocationEndpoint: metadata.revocation_endpoint,
    eventsEndpoint: agentAuth.events_endpoint,
    skill: agentAuth.skill,
    identityTypes: agentAuth.identity_types_supported.map((type) => displayText(type, 60)),
    assertionTypes: (agentAuth.identity_assertion?.assertion_types_supported ?? []).map((type) =>
      displayText(type, 100),
    ),
    scopes: (metadata.scopes_supported ?? []).map((scope) => displayText(scope, 100)),
    claimGrantType:
      agentAuth.claim_grant_type ?? metadata.grant_types_supported?.find(isClaimGrantType),
  };
}

/** The agent assumes no vendor's label (wire.md §1). */
function isClaimGrantType(grantType: string): boolean {
  return CLAIM_GRANT_ENDINGS.some((ending) => grantType.endsWith(ending));
}
