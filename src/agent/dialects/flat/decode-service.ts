import {
  authorizationServerMetadata,
  CLAIM_GRANT_ENDINGS,
  displayText,
  isJsonObject,
  type JsonObject,
  urlProblem,
} from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import { parseMetadata } from '../../http/parse-metadata.ts';
import type { ServiceDraft } from '../dialect.ts';

/** @throws AgentError `metadata_invalid` when a known member is malformed (ASM-09). */
export function decodeService(document: JsonObject): ServiceDraft | undefined {
  const { agent_auth: described } = document;
  if (described === undefined) return undefined;
  if (isJsonObject(described)) requireSupported(document, described);
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

/** Names of older and other versions of this protocol for where an agent registers. */
const OTHER_WAYS = ['register_uri', 'registration_endpoint', 'registration_methods'];

/**
 * A missing member gets an error of its own, which names the older or other protocol where there is one.
 * @throws AgentError `metadata_invalid`.
 */
function requireSupported(document: JsonObject, agentAuth: JsonObject): void {
  const isMissing = (value: unknown) => value === undefined || value === null;
  if (isMissing(agentAuth['identity_endpoint'])) {
    const other = OTHER_WAYS.find((name) => !isMissing(agentAuth[name]));
    throw new AgentError(
      'The service describes no registration that this agent can use: agent_auth.identity_endpoint is missing.',
      {
        code: 'metadata_invalid',
        hint:
          (other === undefined
            ? 'Perhaps agents cannot register there by themselves.'
            : `It has ${other}, which is of an older or another protocol.`) +
          whereToRead(agentAuth['skill']),
      },
    );
  }
  if (isMissing(document['token_endpoint'])) {
    throw new AgentError(
      'The service says where agents register, but not where they get a token: token_endpoint is missing.',
      {
        code: 'metadata_invalid',
        hint: `This agent cannot use it before its metadata is fixed.${whereToRead(agentAuth['skill'])}`,
      },
    );
  }
}

/** Untrusted text: a URL for the user to read, which the agent does not fetch. */
function whereToRead(skill: unknown): string {
  const isPage = typeof skill === 'string' && urlProblem(skill) === undefined;
  return isPage ? ` Its instructions for agents: ${displayText(skill, 200)}` : '';
}

/** The agent assumes no vendor's label (wire contract §1). */
function isClaimGrantType(grantType: string): boolean {
  return CLAIM_GRANT_ENDINGS.some((ending) => grantType.endsWith(ending));
}
