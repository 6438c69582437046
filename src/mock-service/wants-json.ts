import { MEDIA_TYPE } from '../protocol/index.ts';

/**
 * Whether an answer is for a program. What is posted decides by itself: a form gets a page, anything
 * else JSON. A page is asked for by who does not ask for JSON alone.
 */
export function wantsJson({ headers, method }: Request): boolean {
  if (method === 'POST') {
    const [mediaType] = (headers.get('content-type') ?? '').split(';');
    return mediaType?.trim().toLowerCase() !== MEDIA_TYPE.form;
  }
  const accept = headers.get('accept') ?? '';
  return accept.includes(MEDIA_TYPE.json) && !accept.includes('text/html');
}
