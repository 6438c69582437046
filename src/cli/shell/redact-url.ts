import { maskPath } from '../../protocol/mask-tokens.ts';
import { displayText } from '../../protocol/text.ts';

/** An address with every query value masked, and what looks like a token in its path, safe for a terminal. */
export function redactUrl(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const url = new URL(address);
  url.username = '';
  url.password = '';
  const names = [...url.searchParams.keys()];
  const query = names.map((name) => `${encodeURIComponent(name)}=***`).join('&');
  return displayText(url.origin + maskPath(url.pathname) + (query === '' ? '' : `?${query}`), 2000);
}
