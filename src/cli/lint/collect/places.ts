import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../../protocol/urls.ts';

/** What a URL names that is itself the place of a document: the service, or the resource. */
export function serviceOf(typed: string): string {
  const { origin, pathname } = new URL(typed);
  for (const place of [AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH]) {
    if (pathname === place || pathname.startsWith(`${place}/`)) {
      return origin + pathname.slice(place.length);
    }
    if (pathname.endsWith(place)) return origin + pathname.slice(0, -place.length);
  }
  if (/^\/auth\.md$/i.test(pathname)) return origin;
  return pathname === '/' ? origin : origin + pathname;
}
