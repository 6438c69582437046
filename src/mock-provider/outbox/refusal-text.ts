import { displayText } from '../../protocol/index.ts';

const MAX_TEXT_LENGTH = 200;

/** The words of a service as they may be shown: no control characters, and not too many. */
export function refusalText(words: string): string {
  return displayText(words, MAX_TEXT_LENGTH);
}
