import { MEDIA_TYPE } from '../protocol/index.ts';

/**
 * Whether an answer is for a program. A browser names HTML among what it takes, and what it submits is
 * a form; anything else that is sent here is answered in JSON.
 */
export function wantsJson({ headers, method }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  if (accept.includes('text/html')) return false;
  if (method === 'POST') return !headers.get('content-type')?.startsWith(MEDIA_TYPE.form);
  return accept.includes(MEDIA_TYPE.json);
}
