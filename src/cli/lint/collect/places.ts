import {
  AUTHORIZATION_SERVER_PATH,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../../protocol/urls.ts';

/** Where agents look for the metadata of a resource: as RFC 9728 §3.1 says, then plain, then appended. */
export function resourceMetadataUrls(resource: string): readonly string[] {
  const base = withoutFinalSlash(resource);
  return [
    ...new Set([
      protectedResourceMetadataUrl(resource),
      protectedResourceMetadataUrl(base),
      new URL(base).origin + PROTECTED_RESOURCE_PATH,
      base + PROTECTED_RESOURCE_PATH,
    ]),
  ];
}

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
