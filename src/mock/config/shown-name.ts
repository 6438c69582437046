import { isShownName, SHOWN_NAME } from '../../protocol/shown-name.ts';
import { wrongOption } from './wrong-option.ts';

/** @throws TypeError that names the option and the value. */
export function shownName(text: string, option: string): string {
  if (isShownName(text)) return text;
  throw wrongOption(option, text, `Use ${SHOWN_NAME}.`);
}
