import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';

/**
 * Whether to answer with JSON. A POST of a form gets a page, any other POST JSON; a GET gets a page
 * unless it accepts JSON and not HTML.
 */
export function wantsJson(request: Request): boolean {
  if (request.method === 'POST') return mediaTypeOf(request) !== MEDIA_TYPE.form;
  const accept = request.headers.get('accept') ?? '';
  return accept.includes(MEDIA_TYPE.json) && !accept.includes('text/html');
}
