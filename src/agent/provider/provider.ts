import {
  authorizationServerMetadata,
  displayText,
  type JsonObject,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { readServerMetadata } from '../discovery/server-metadata.ts';
import { Trail } from '../discovery/trail.ts';
import { requireAddress, requireEndpoint } from '../http/address-policy.ts';
import { parseMetadata } from '../http/parse-metadata.ts';
import { peerOf, type Tools } from '../tools.ts';

/** An agent provider: an authorization server that signs users in and mints ID-JAGs. */
export interface Provider {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly deviceAuthorizationEndpoint: string | undefined;
}

/**
 * A provider from its issuer (RFC 8414); every address is checked as a service's are.
 * @throws AgentError `bad_address`, `metadata_not_found`, `metadata_invalid`, `foreign_origin`, …
 */
export async function discoverProvider(
  tools: Tools,
  given: string,
  signal: AbortSignal | undefined,
): Promise<Provider> {
  const named = withoutFinalSlash(requireAddress(given, 'The provider'));
  const peer = peerOf(tools, named);
  const trail = new Trail(tools.policy.strict);
  const describe = () => 'a provider';
  const metadata = await readServerMetadata(peer, named, trail, describe, signal);
  if (metadata === undefined) {
    throw new AgentError(`${displayText(given, 100)} publishes no authorization server metadata.`, {
      code: 'metadata_not_found',
      hint: 'Is that the address of an agent provider?',
    });
  }
  tools.peers.set(metadata.issuer, peer);
  return decodeProvider(tools, metadata.issuer, metadata.document);
}

function decodeProvider(tools: Tools, issuer: string, document: JsonObject): Provider {
  const metadata = parseMetadata(document, "The provider's metadata", authorizationServerMetadata);
  const { token_endpoint: token, device_authorization_endpoint: device } = metadata;
  const endpoint = (address: string, what: string) =>
    requireEndpoint(tools.policy, issuer, address, what);
  return {
    issuer,
    tokenEndpoint: endpoint(token, "The provider's token endpoint"),
    deviceAuthorizationEndpoint:
      device === undefined ? undefined : endpoint(device, "The provider's sign-in endpoint"),
  };
}
