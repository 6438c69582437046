import { parseChallenges } from '../../protocol/index.ts';
import { discard } from '../http/discard.ts';
import type { Peer } from '../http/peer.ts';
import type { Hops } from './hops.ts';

/**
 * Requests a protected address without credentials and reads where its metadata is from the 401
 * (RFC 9728 §5.1). `undefined` when it does not say.
 */
export async function askForChallenge(
  peer: Peer,
  address: string,
  trail: Hops,
  signal?: AbortSignal,
): Promise<string | undefined> {
  let response: Response;
  try {
    response = await peer.open(address, { method: 'GET' }, signal);
  } catch (error) {
    trail.hop('challenge', address, null, 'no answer');
    throw error;
  }
  discard(response);
  if (response.status !== 401) {
    trail.hop('challenge', address, response.status, 'asks for no token');
    return undefined;
  }
  return readChallenge(address, response.headers, trail);
}

/** The same from the headers of a 401 that came already. */
export function readChallenge(address: string, headers: Headers, trail: Hops): string | undefined {
  const metadata = namedMetadata(headers);
  trail.hop(
    'challenge',
    address,
    401,
    metadata === undefined ? 'a challenge that names no metadata' : 'where its metadata is',
  );
  if (metadata === undefined) {
    trail.warn(
      'no_challenge',
      'The 401 names no resource_metadata; the well-known address is tried instead.',
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
