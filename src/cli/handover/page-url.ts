import { displayText } from '../../protocol/text.ts';

/** For a page that was not proven to belong to the party whose ceremony it is. */
export const FOREIGN_PAGE =
  'This page is not on the origin of the service. Open it only if you expected that.';

/** As plain ASCII: a look-alike host shows as punycode, everything else percent-encoded. */
export function displayUrl(address: string): string {
  return URL.canParse(address)
    ? displayText(new URL(address).href, 2048)
    : displayText(address, 2048);
}
