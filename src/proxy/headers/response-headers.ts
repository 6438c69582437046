import type { Origins } from '../origins.ts';
import type { CookieNames } from './cookie-names.ts';
import { dropHopByHop } from './hop-by-hop.ts';

interface ResponsePlace {
  readonly origins: Origins;
  readonly cookies: CookieNames;
  /** By which name the client calls this machine. */
  readonly hostname: string;
}

/** They would lead a browser past the proxy, or to https, which it does not speak. */
const LEADING_AWAY = ['alt-svc', 'strict-transport-security'];

/** The headers of an answer as the client gets them, with the proxy's URLs. */
export function responseHeaders(
  given: Headers,
  { cookies, hostname, origins }: ResponsePlace,
): Headers {
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
export function dropDigests(headers: Headers): void {
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
