import { parseChallenges } from '../../protocol/index.ts';
import { discard } from '../http/discard.ts';
import type { Peer } from '../http/peer.ts';
import type { Hops } from './hops.ts';

/**
 * Requests a protected URL without credentials and reads the URL of its metadata from the 401
 * (RFC 9728 §5.1). `undefined` when it names none.
 */
export async function askForChallenge(
  peer: Peer,
  url: string,
  hops: Hops,
  signal?: AbortSignal,
): Promise<string | undefined> {
  let response: Response;
  try {
    response = await peer.open(url, { method: 'GET' }, signal);
  } catch (error) {
    hops.hop('challenge', url, null, 'no answer');
    throw error;
  }
  discard(response);
  if (response.status !== 401) {
    hops.hop('challenge', url, response.status, 'asks for no token');
    return undefined;
  }
  return readChallenge(url, response.headers, hops);
}

/** The same from the headers of a 401 that came already. */
export function readChallenge(url: string, headers: Headers, hops: Hops): string | undefined {
  const metadata = namedMetadata(headers);
  hops.hop(
    'challenge',
    url,
    401,
    metadata === undefined ? 'a challenge that names no metadata' : 'names its metadata',
  );
  if (metadata === undefined) {
    hops.warn(
      'no_challenge',
      'The 401 names no resource_metadata; the well-known URL is tried instead.',
    );
  }
  return metadata;
}

/** Several challenges may come, also of one scheme; any Bearer one may name it. */
export function namedMetadata(headers: Headers): string | undefined {
  return parseChallenges(headers.get('www-authenticate') ?? '')
    .filter(({ scheme }) => scheme.toLowerCase() === 'bearer')
    .map(({ params }) => params['resource_metadata'])
    .find((named) => named !== undefined);
}
