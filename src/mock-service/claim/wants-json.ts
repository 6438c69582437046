import { MEDIA_TYPE, mediaTypeOf } from '../../protocol/index.ts';

/**
 * Whether an answer is for a program. What is posted decides by itself: a form gets a page, anything
 * else JSON. A page is asked for by who does not ask for JSON alone.
 */
export function wantsJson(request: Request): boolean {
  if (request.method === 'POST') return mediaTypeOf(request) !== MEDIA_TYPE.form;
  const accept = request.headers.get('accept') ?? '';
  return accept.includes(MEDIA_TYPE.json) && !accept.includes('text/html');
}
