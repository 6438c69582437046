import { withoutFinalSlash, withoutQuery } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { namedMetadata } from '../discovery/ask-for-challenge.ts';
import { Hops } from '../discovery/hops.ts';
import { readResourceMetadata } from '../discovery/resource-metadata.ts';
import { Peer } from '../http/peer.ts';
import { requirePeerUrl } from '../http/url-policy.ts';
import type { ServiceRecord } from '../model.ts';
import type { CallAnswer } from '../outcomes.ts';
import type { Tools } from '../tools.ts';

/**
 * After a challenge the metadata may have changed (RFC 9728 §5.2): it is read and checked again. Metadata
 * that fails the check is not used, and the registration stays.
 * @throws AgentError `token_refused` when the resource now trusts other servers alone.
 */
export async function lookAgain(
  tools: Tools,
  { issuer }: ServiceRecord,
  answer: CallAnswer,
): Promise<void> {
  const { url, headers } = answer;
  const servers = await currentServers(tools, url, namedMetadata(headers)?.url);
  const isKnown = (server: string) => withoutFinalSlash(server) === withoutFinalSlash(issuer);
  if (servers === undefined || servers.some(isKnown)) return;
  throw new AgentError('The resource now takes tokens of other authorization servers.', {
    code: 'token_refused',
    hint: 'Register again, as its challenge shows.',
    next: { command: 'register', args: [withoutQuery(url)] },
    answer,
  });
}

async function currentServers(
  tools: Tools,
  url: string,
  named: string | undefined,
): Promise<readonly string[] | undefined> {
  if (named === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  const expected = { url: origin + pathname, through: 'challenge' } as const;
  const hops = new Hops(tools);
  try {
    const metadataUrl = requirePeerUrl(tools.policy, named, 'The URL in the challenge', url);
    const peer = new Peer(tools.context);
    const metadata = await readResourceMetadata(peer, metadataUrl, expected, hops);
    return metadata?.authorization_servers;
  } catch (error) {
    if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
    tools.context.log.warn('metadata of a later challenge is not used', { code: error.code });
    return undefined;
  }
}
