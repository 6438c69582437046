import {
  authorizationServerMetadata,
  displayText,
  ID_JAG_TOKEN_TYPE,
  type JsonObject,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';
import { authenticationOf, type ClientParty, namesIn } from '../clients/authenticate.ts';
import { Hops } from '../discovery/hops.ts';
import { parseMetadata } from '../discovery/resource-metadata.ts';
import { readServerMetadata } from '../discovery/server-metadata.ts';
import { requireEndpoint, requirePeerUrl, requireUrl } from '../http/url-policy.ts';
import type { Step } from '../next-step.ts';
import { peerOf, type Tools } from '../tools.ts';

/** An agent provider: an authorization server that signs users in and mints ID-JAGs. */
export interface Provider extends ClientParty {
  /** Where users sign in in a browser. */
  readonly authorizationEndpoint: string | undefined;
  /** Where the keys are that ID tokens are signed with. */
  readonly jwksUri: string | undefined;
  /** `undefined`: it does not say. */
  readonly idTokenAlgorithms: readonly string[] | undefined;
  readonly pkceMethods: readonly string[];
  /** Whether it says of its redirects that each carries `iss` (RFC 9207 §3). */
  readonly namesIssuer: boolean;
  readonly deviceAuthorizationEndpoint: string | undefined;
  readonly consentRevocationEndpoint: string | undefined;
}

/**
 * A provider from its issuer (RFC 8414, OpenID Connect Discovery); every URL is checked as a service's are.
 * @throws AgentError `bad_address`, `metadata_not_found`, `not_a_provider`, `foreign_origin`, …
 */
export async function discoverProvider(tools: Tools, given: string): Promise<Provider> {
  const issuer = requireUrl(tools.policy, given, 'The provider');
  const peer = peerOf(tools, issuer);
  const hops = new Hops(tools);
  const question = { issuer, typed: true, describe: () => 'a provider' };
  const metadata = await readServerMetadata(peer, question, hops).catch((error) => {
    throw noProvider(given, error);
  });
  if (metadata === undefined) {
    throw new AgentError(
      `${displayText(given, 100)} is not an agent provider: it publishes no authorization server metadata.`,
      { code: 'metadata_not_found', hint: IS_IT_ONE, next: BY_ASSERTION },
    );
  }
  tools.peers.set(metadata.issuer, peer);
  return decodeProvider(tools, metadata.issuer, metadata.document);
}

const IS_IT_ONE = 'Check that the URL is that of the provider.';

/** What needs nothing of a provider that cannot be asked. */
const BY_ASSERTION: Step = { command: 'register', args: ['--assertion', '@FILE'] };

/** Answers that a server gives which is something else altogether. */
const FOREIGN_ANSWERS: readonly AgentErrorCode[] = [
  'bad_answer',
  'answer_too_large',
  'metadata_invalid',
  'redirected',
];

/** The answers of a web server that is no provider get an error that names it so. */
function noProvider(given: string, error: unknown): unknown {
  if (!(error instanceof AgentError)) return error;
  // Where to discover a service from is no help here.
  if (error.code === 'issuer_mismatch') {
    return new AgentError(error.message, { code: error.code, hint: error.hint, cause: error });
  }
  if (!FOREIGN_ANSWERS.includes(error.code)) return error;
  return new AgentError(
    `${displayText(given, 100)} does not answer as an agent provider. ${error.message}`,
    { code: error.code, hint: error.hint ?? IS_IT_ONE, next: BY_ASSERTION, cause: error },
  );
}

function decodeProvider(tools: Tools, issuer: string, document: JsonObject): Provider {
  requireProvider(issuer, document);
  const metadata = parseMetadata(document, "The provider's metadata", authorizationServerMetadata);
  const {
    token_endpoint: token,
    device_authorization_endpoint: device,
    consent_revocation_endpoint: consentRevocation,
    jwks_uri: jwks,
  } = metadata;
  const endpoint = (url: string, what: string) =>
    requireEndpoint(tools.policy, issuer, url, `The provider's ${what} endpoint`);
  const optional = (url: unknown, what: string) =>
    typeof url === 'string' ? endpoint(url, what) : undefined;
  return {
    issuer,
    tokenEndpoint: endpoint(token, 'token'),
    ...authenticationOf(document),
    authorizationEndpoint: optional(document['authorization_endpoint'], 'authorization'),
    // It is fetched without credentials, and a user may keep keys elsewhere.
    jwksUri: jwks && requirePeerUrl(tools.policy, jwks, "The provider's keys", issuer),
    idTokenAlgorithms: namesIn(document, 'id_token_signing_alg_values_supported'),
    pkceMethods: namesIn(document, 'code_challenge_methods_supported') ?? [],
    namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    deviceAuthorizationEndpoint: optional(device, 'sign-in'),
    consentRevocationEndpoint: optional(consentRevocation, 'revocation'),
  };
}

/**
 * Refuses another server that publishes the same kind of metadata: a service, or one that signs nobody in here.
 * @throws AgentError `not_a_provider`.
 */
function requireProvider(issuer: string, document: JsonObject): void {
  const {
    agent_auth: agentAuth,
    device_authorization_endpoint: device,
    grant_types_supported: grants,
  } = document;
  const chained = namesIn(document, 'identity_chaining_requested_token_types_supported') ?? [];
  const mints =
    (Array.isArray(grants) && grants.includes(TOKEN_EXCHANGE_GRANT)) ||
    chained.includes(ID_JAG_TOKEN_TYPE);
  if (device !== undefined || mints) return;
  if (agentAuth === undefined && grants === undefined) return;
  const what =
    agentAuth === undefined
      ? 'is an authorization server, but not an agent provider: it mints no ID-JAGs (RFC 8693)'
      : 'is a service that agents register at, not an agent provider';
  throw new AgentError(`${displayText(issuer, 100)} ${what}.`, {
    code: 'not_a_provider',
    hint: IS_IT_ONE,
    next: BY_ASSERTION,
  });
}
