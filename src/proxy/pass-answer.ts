import { maskPath, parseChallenges, parsedUrl } from '../protocol/index.ts';
import { kindOfBody } from './bodies/kind-of-body.ts';
import type { CookieNames } from './headers/cookie-names.ts';
import { dropHopByHop } from './headers/hop-by-hop.ts';
import { namedOrigins } from './named-origins.ts';
import type { Origins } from './origins.ts';
import type { Place } from './place.ts';
import { PROXY_NAME, quoted } from './problem.ts';
import type { Sent } from './send.ts';
import { mapHtmlUrls } from './text/map-html-urls.ts';
import { mapJsonStrings } from './text/map-json-strings.ts';

interface ResponsePlace {
  readonly origins: Origins;
  readonly cookies: CookieNames;
  /** The name by which the client calls this machine. */
  readonly hostname: string;
}

/** The headers that would lead a browser past the proxy, or to https, which it does not speak. */
const LEADING_AWAY = ['alt-svc', 'strict-transport-security'];

/** The headers of an answer as the client gets them, with the proxy's URLs. */
function responseHeaders(given: Headers, { cookies, hostname, origins }: ResponsePlace): Headers {
  const kept = new Headers(given);
  dropHopByHop(kept);
  for (const name of LEADING_AWAY) kept.delete(name);
  kept.delete('set-cookie');
  const headers = new Headers();
  for (const [name, value] of kept) {
    const mapped = origins.toLocal(value, hostname);
    headers.append(name, name === 'content-security-policy' ? withoutUpgrade(mapped) : mapped);
  }
  for (const cookie of given.getSetCookie()) {
    for (const mapped of cookies.toLocal(cookie)) headers.append('set-cookie', mapped);
  }
  return headers;
}

/** The pages come over http here. */
function withoutUpgrade(policy: string): string {
  return policy.replace(
    /(^|[;,])\s*(?:upgrade-insecure-requests|block-all-mixed-content)\b[^;,]*/gi,
    '$1',
  );
}

/** What was said of the bytes of a body that is another one now (RFC 9530, RFC 9421, RFC 9110 §8.8). */
function dropDigests(headers: Headers): void {
  for (const name of [
    'content-digest',
    'content-length',
    'content-md5',
    'digest',
    'repr-digest',
    'signature',
    'signature-input',
  ]) {
    headers.delete(name);
  }
}

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
