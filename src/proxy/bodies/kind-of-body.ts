import { isJsonMediaType, MEDIA_TYPE, mediaTypeOf } from '../../protocol/index.ts';

/** How the URLs in a body are found. `other`: not at all, it flows by. */
export type KindOfBody = 'json' | 'form' | 'html' | 'text' | 'other';

/** The kind by the media type. Parts of a body (RFC 9110 §15.3.7) are not looked into. */
export function kindOfBody(message: {
  readonly headers: Headers;
  readonly status?: number;
}): KindOfBody {
  if (message.status === 206 || message.headers.has('content-range')) return 'other';
  const type = mediaTypeOf(message);
  if (isJsonMediaType(type)) return 'json';
  if (type === MEDIA_TYPE.form) return 'form';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return TEXTS.has(type) ? 'text' : 'other';
}

/** The skill file, the directory, and JSON of servers that do not say so. */
const TEXTS: ReadonlySet<string> = new Set([
  '',
  'application/xml',
  'text/markdown',
  'text/plain',
  'text/xml',
]);
