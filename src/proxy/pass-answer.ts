import { maskPath, parseChallenges, parsedUrl } from '../protocol/index.ts';
import { kindOfBody } from './bodies/kind-of-body.ts';
import { dropDigests, responseHeaders } from './headers/response-headers.ts';
import { namedOrigins } from './named-origins.ts';
import type { Place } from './place.ts';
import { PROXY_NAME, quoted } from './problem.ts';
import type { Sent } from './send.ts';
import { mapHtmlUrls } from './text/map-html-urls.ts';
import { mapJsonStrings } from './text/map-json-strings.ts';

/** The answer of a server, with the proxy's URLs. */
export async function passAnswer(sent: Sent, request: Request, place: Place): Promise<Response> {
  const { answer, text, why } = sent;
  const { hostname, pathname } = new URL(request.url);
  const { status, statusText } = answer;
  const kind =
    text !== undefined && isDocument(text, kindOfBody(answer)) ? 'json' : kindOfBody(answer);
  const named = kind === 'json' ? namedOrigins(parsed(text)) : [];
  await place.frontAll([...challenged(answer.headers), ...named], place.front);
  // By what is known now: the answer itself may have named a further origin.
  const headers = responseHeaders(answer.headers, { ...place, hostname });
  if (why !== undefined) {
    // The service's own URL, as everywhere that is recorded.
    const url = place.front.real + maskPath(pathname);
    place.log.warn('proxy.not_rewritten', { url, why });
    const details = quoted(`The URLs in this body are not rewritten, because ${why}.`);
    headers.append('proxy-status', `${PROXY_NAME}; details=${details}`);
  }
  if (text === undefined) {
    // What a HEAD says of a body that is rewritten with GET.
    if (kind !== 'other' && why === undefined) dropDigests(headers);
    return new Response(answer.body, { status, statusText, headers });
  }
  const bytes = new TextEncoder().encode(rewritten(text));
  dropDigests(headers);
  headers.set('content-length', String(bytes.byteLength));
  return new Response(bytes, { status, statusText, headers });

  function rewritten(given: string): string {
    const { origins, standIns } = place;
    if (kind === 'html') return mapHtmlUrls(given, (origin) => origins.local(origin, hostname));
    if (kind !== 'json') return origins.toLocal(given, hostname);
    const isProvider = place.front.to === 'provider';
    return mapJsonStrings(given, (each) => {
      const standIn = isProvider ? standIns.standInFor(each, hostname) : undefined;
      return standIn ?? origins.toLocal(each, hostname);
    });
  }
}

/** JSON, although its media type may not say so. */
function isDocument(text: string, kind: string): boolean {
  return (
    kind === 'json' || (kind === 'text' && /^\s*[[{]/.test(text) && parsed(text) !== undefined)
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Where a challenge leads to (RFC 9728 §5.1). */
function challenged(headers: Headers): readonly string[] {
  return parseChallenges(headers.get('www-authenticate') ?? '').flatMap(({ params }) => {
    const url = parsedUrl(params['resource_metadata'] ?? '');
    return url === undefined ? [] : [url.origin];
  });
}
