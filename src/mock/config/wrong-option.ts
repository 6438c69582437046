import { isShownName, SHOWN_NAME } from '../../protocol/shown-name.ts';

const MOST_SHOWN = 60;

/**
 * What is thrown for an option that cannot be taken: one line that names the option and the value.
 * @param use what it takes, as a sentence.
 */
export function wrongOption(name: string, value: unknown, use: string): TypeError {
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return new TypeError(`${name} cannot be ${(shown ?? 'undefined').slice(0, MOST_SHOWN)}. ${use}`);
}

/** @throws TypeError that names the option and the value. */
export function shownName(text: string, option: string): string {
  if (isShownName(text)) return text;
  throw wrongOption(option, text, `Use ${SHOWN_NAME}.`);
}
