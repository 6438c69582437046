import { displayText } from '../../protocol/index.ts';

const MAX_TEXT_LENGTH = 200;

/** The text of a service as it may be shown: no control characters, shortened. */
export function refusalText(words: string): string {
  return displayText(words, MAX_TEXT_LENGTH);
}
