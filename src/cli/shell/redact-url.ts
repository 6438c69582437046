import { maskPath } from '../../protocol/mask-tokens.ts';
import { displayText } from '../../protocol/text.ts';

/** A URL with every query value and every token in its path masked, safe for a terminal. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const url = new URL(text);
  url.username = '';
  url.password = '';
  const names = [...url.searchParams.keys()];
  const query = names.map((name) => `${encodeURIComponent(name)}=***`).join('&');
  return displayText(url.origin + maskPath(url.pathname) + (query === '' ? '' : `?${query}`), 2000);
}
