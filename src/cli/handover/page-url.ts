import { displayText } from '../../protocol/text.ts';

/** Shown with a page that is not on the origin of its service or provider. */
export const FOREIGN_PAGE =
  'This page is not on the origin of the service. Open it only if you expected that.';

/** As plain ASCII: a look-alike host shows as punycode, everything else percent-encoded. */
export function displayUrl(url: string): string {
  return URL.canParse(url) ? displayText(new URL(url).href, 2048) : displayText(url, 2048);
}
