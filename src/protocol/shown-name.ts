import { isShortText, MAX_TEXT_BYTES } from './text.ts';

/** What a name on pages and in metadata has to be, for messages. */
export const SHOWN_NAME = `a text of 1 to ${MAX_TEXT_BYTES} bytes without control characters`;

/** Whether a text may be a name on pages and in metadata: {@link SHOWN_NAME}. */
export function isShownName(text: string): boolean {
  return text.trim() !== '' && isShortText(text) && !/\p{Cc}/u.test(text);
}
