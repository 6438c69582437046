import { displayText } from '../protocol/index.ts';
import { type KindOfBody, kindOfBody } from './bodies/kind-of-body.ts';
import { readText } from './bodies/read-text.ts';
import { encodingsOf } from './bodies/unpack.ts';
import { requestHeaders } from './headers/request-headers.ts';
import type { Place } from './place.ts';
import { proxyProblem } from './problem.ts';
import { type MapText, mapJsonStrings } from './text/map-json-strings.ts';

/** A request as the server is to get it, or why it does not. */
export interface PassedRequest {
  readonly request: Request;
  readonly refusal?: Response;
}

/** The request of a client, of the server's own URLs instead of the proxy's. Rejects when its body breaks off. */
export async function passRequest(request: Request, place: Place): Promise<PassedRequest> {
  const { front, origins, standIns } = place;
  const url = new URL(request.url);
  let refusal: Response | undefined;
  const map: MapText = (text) => {
    const forProxy = standIns.signed(text) === undefined ? standIns.forProxy(text) : undefined;
    if (forProxy !== undefined) refusal = refusedAudience(forProxy, place);
    return standIns.signed(text) ?? origins.toReal(text);
  };
  const query = url.search === '' ? '' : `?${mapFields(url.search.slice(1), map)}`;
  const headers = requestHeaders(request.headers, { ...place, map, real: front.real });
  const target = front.real + url.pathname + query;
  const passed = await passBody(request, place, map);
  if (passed.length !== null) headers.set('content-length', passed.length);
  const init = {
    method: request.method,
    headers,
    body: passed.body,
    duplex: 'half',
  } as RequestInit;
  return { request: new Request(target, init), ...(refusal && { refusal }) };
}

interface PassedBody {
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null;
  readonly length: string | null;
}

async function passBody(request: Request, { sleep }: Place, map: MapText): Promise<PassedBody> {
  const { body, headers } = request;
  if (body === null) return { body, length: null };
  const length = headers.get('content-length');
  const kind = kindOfBody(request);
  const isRead = (kind === 'json' || kind === 'form') && encodingsOf(headers).length === 0;
  if (!isRead) return { body, length };
  const read = await readText(body, sleep);
  if (!('text' in read)) return { body: read.stream, length };
  const bytes = new TextEncoder().encode(mapped(kind, read.text, map));
  return { body: bytes, length: String(bytes.byteLength) };
}

function mapped(kind: KindOfBody, text: string, map: MapText): string {
  return kind === 'form' ? mapFields(text, map) : mapJsonStrings(text, map);
}

/** What nobody can mend on the way: it is signed. */
function refusedAudience(
  { audience, issuer }: { readonly audience: string; readonly issuer: unknown },
  { front, origins }: Place,
): Response {
  const provider = typeof issuer === 'string' ? displayText(issuer, 200) : undefined;
  const isFronted = provider !== undefined && origins.has(provider);
  const advice = isFronted
    ? `Have it minted at the provider's URL of this proxy: with an audience of this proxy it then gets one for ${front.real}.`
    : `Start the proxy with --provider ${provider ?? 'URL'} and have it minted there, or name ${front.real} as its audience.`;
  return proxyProblem({
    status: 400,
    error: 'http_request_denied',
    code: 'invalid_audience',
    detail: `Not sent: a JWT in the request is signed for ${displayText(audience, 200)}, which is this proxy, and ${front.real} would refuse it. Its signature cannot be made again. ${advice}`,
  });
}

/**
 * A form or a query (URL Standard §5) in which values are replaced. What is not replaced stays as it was
 * written, its order and its escapes.
 */
export function mapFields(fields: string, map: MapText): string {
  return fields
    .split('&')
    .map((field) => {
      const at = field.indexOf('=');
      if (at === -1) return field;
      const value = decoded(field.slice(at + 1));
      if (value === undefined) return field;
      const mapped = map(value);
      return mapped === value ? field : `${field.slice(0, at)}=${encodeURIComponent(mapped)}`;
    })
    .join('&');
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
