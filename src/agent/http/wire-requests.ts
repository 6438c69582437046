import { MEDIA_TYPE } from '../../protocol/index.ts';
import type { WireRequest } from './peer.ts';

export function jsonRequest(url: string, body: Readonly<Record<string, string>>): WireRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPE.json, accept: MEDIA_TYPE.json },
    body: JSON.stringify(body),
  };
}

/** RFC 6749, appendix B. */
export function formRequest(
  url: string,
  parameters: Readonly<Record<string, string | undefined>>,
): WireRequest {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.append(name, value);
  }
  return {
    url,
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPE.form, accept: MEDIA_TYPE.json },
    body: form.toString(),
  };
}
