import { isShortText, MAX_TEXT_BYTES } from './text.ts';
import { parsedUrl, urlProblem } from './urls.ts';

/** What a client identifier has to be, for messages. */
export const CLIENT_ID = `printable ASCII, 1 to ${MAX_TEXT_BYTES} characters`;

/**
 * No more is read of the metadata document of a client, in bytes
 * (draft-ietf-oauth-client-id-metadata-document-02 §8.7).
 */
export const CLIENT_DOCUMENT_LIMIT = 5 * 1024;

/** RFC 6749, appendix A.1. */
export function isClientId(text: string): boolean {
  return /^[ -~]+$/.test(text) && text.trim() !== '' && isShortText(text);
}

/**
 * Whether an id could be the URL of a client's metadata document
 * (draft-ietf-oauth-client-id-metadata-document-02 §3): with a path, without a fragment and dot segments.
 */
export function isDocumentUrl(id: string): boolean {
  if (urlProblem(id) !== undefined) return false;
  const path = id.slice(parsedUrl(id)?.protocol.length).split('?', 1)[0] ?? '';
  return /^\/\/[^/]+\//.test(path) && !/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}
