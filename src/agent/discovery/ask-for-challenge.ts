import { kindOf } from '../../discovery/index.ts';
import {
  isJsonMediaType,
  MEDIA_TYPE,
  mediaTypeOf,
  parseChallenges,
  parseJsonObject,
} from '../../protocol/index.ts';
import { type FetchInit, readBody } from '../../runtime/index.ts';
import { discard, type Peer } from '../http/peer.ts';
import type { ClientDocument, Hops } from './hops.ts';

/**
 * Requests a protected URL without credentials and reads the URL of its metadata from the 401
 * (RFC 9728 §5.1). `undefined` when it names none. The document of a client, which lies at any URL, is noted among what
 * was read.
 */
export async function askForChallenge(
  peer: Peer,
  url: string,
  hops: Hops,
): Promise<string | undefined> {
  const ask = async (init: FetchInit, method?: 'POST') => {
    let response: Response;
    try {
      response = await peer.open(url, init, hops.signal);
    } catch (error) {
      hops.hop('challenge', url, null, 'no answer', method);
      throw error;
    }
    const { status } = response;
    const client = method === undefined ? await readClient(response, hops.signal) : undefined;
    if (client !== undefined) Object.assign(hops.read, { client, at: url });
    discard(response);
    const learnt = client === undefined ? 'asks for no token' : 'the metadata document of a client';
    if (status !== 401) hops.hop('challenge', url, status, learnt, method);
    return response;
  };
  const { headers, status } = await ask({ method: 'GET' });
  if (status === 401) return readChallenge(url, headers, hops);
  if (!isNotForGet(status)) return undefined;
  // It was answered once: who drops what it did not expect is no MCP server.
  const posted = await ask(MCP_INITIALIZE, 'POST').catch((error: unknown) => {
    if (hops.signal?.aborted) throw error;
    return undefined;
  });
  if (posted?.status !== 401) return undefined;
  return readChallenge(url, posted.headers, hops, 'POST');
}

/** Far more than servers read of the document of a client, in bytes. */
const CLIENT_LIMIT = 64 * 1024;

/** What static hosts give a file of JSON; a page or a stream is none. */
const OF_FILES = ['', 'text/plain', 'application/octet-stream'];

async function readClient(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<ClientDocument | undefined> {
  const mediaType = mediaTypeOf(response);
  const mayBe = isJsonMediaType(mediaType) || OF_FILES.includes(mediaType);
  if (response.status !== 200 || !mayBe) return undefined;
  const body = await readBody(response, CLIENT_LIMIT, signal).catch(() => undefined);
  if (!body?.ok) return undefined;
  const { text, byteOrderMark = false } = body;
  const json = parseJsonObject(text);
  if (!json.ok || kindOf(json.value) !== 'client') return undefined;
  return { json: json.value, text, byteOrderMark, mediaType };
}

/** An MCP server may have nothing for GET (MCP, streamable HTTP). */
export function isNotForGet(status: number): boolean {
  return status === 404 || status === 405;
}

/** The first request to an MCP server: one that wants a token answers 401. */
export const MCP_INITIALIZE = {
  method: 'POST',
  headers: {
    'content-type': MEDIA_TYPE.json,
    accept: 'application/json, text/event-stream',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'agent-auth', version: '0' },
    },
  }),
} as const satisfies FetchInit;

/** The same from the headers of a 401 that came already. */
export function readChallenge(
  url: string,
  headers: Headers,
  hops: Hops,
  method?: 'POST',
): string | undefined {
  const named = namedMetadata(headers);
  const metadata = named?.url;
  hops.hop(
    'challenge',
    url,
    401,
    metadata === undefined ? 'a challenge that names no metadata' : 'names its metadata',
    method,
  );
  const scope = parseChallenges(headers.get('www-authenticate') ?? '')
    .map(({ params }) => params['scope'])
    .find((each) => each !== undefined);
  if (scope !== undefined) hops.read.scope = scope;
  if (named?.isUnquoted) {
    hops.tolerate(
      'challenge_unquoted',
      'The 401 names its resource_metadata without quotes (RFC 9110 §11.2).',
    );
  }
  if (metadata === undefined) {
    hops.warn(
      'no_challenge',
      'The 401 names no resource_metadata; the well-known URL is tried instead.',
    );
  }
  return metadata;
}

/** Where a challenge says that the metadata of the resource is. */
interface NamedMetadata {
  readonly url: string;
  readonly isUnquoted: boolean;
}

/** Several challenges may come, also of one scheme; any of them may name it, whatever its scheme (RFC 9728 §5.1). */
export function namedMetadata(headers: Headers): NamedMetadata | undefined {
  for (const { params, unquoted } of parseChallenges(headers.get('www-authenticate') ?? '')) {
    const url = params[MEMBER];
    if (url !== undefined) return { url, isUnquoted: unquoted.includes(MEMBER) };
  }
  return undefined;
}

const MEMBER = 'resource_metadata';
