const MOST_SHOWN = 60;

/**
 * What is thrown for an option that cannot be taken: one line that names the option and the value.
 * @param use what it takes, as a sentence.
 */
export function wrongOption(name: string, value: unknown, use: string): TypeError {
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return new TypeError(`${name} cannot be ${(shown ?? 'undefined').slice(0, MOST_SHOWN)}. ${use}`);
}
