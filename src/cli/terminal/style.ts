const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

/** Colours for one stream; without colour every function returns its text as it is. */
export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

function build(enabled: boolean): Style {
  const entries = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    enabled
      ? (text: string) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`)
      : (text: string) => text,
  ]);
  return Object.fromEntries(entries) as Style;
}

export const COLOR = build(true);
export const PLAIN = build(false);
