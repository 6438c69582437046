import { isShortText, MAX_TEXT_BYTES } from './text.ts';

/** What a client identifier has to be, for messages. */
export const CLIENT_ID = `printable ASCII, 1 to ${MAX_TEXT_BYTES} characters`;

/** RFC 6749, appendix A.1. */
export function isClientId(text: string): boolean {
  return /^[ -~]+$/.test(text) && text.trim() !== '' && isShortText(text);
}
