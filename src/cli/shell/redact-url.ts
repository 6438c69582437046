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
  // `URL.origin` is null where the scheme is not the web's.
  const origin = `${url.protocol}//${url.host}`;
  return displayText(`${origin}${maskPath(url.pathname)}${query === '' ? '' : `?${query}`}`, 2000);
}

/** A value that was typed where a URL belongs: as it is, unless it is a URL that holds a secret. */
export function redactTyped(text: string): string {
  if (!URL.canParse(text)) return displayText(text, 60);
  const { username, password, search } = new URL(text);
  return `${username}${password}${search}` === '' ? displayText(text, 60) : redactUrl(text);
}
