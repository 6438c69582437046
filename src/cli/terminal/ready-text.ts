import type { Style } from './style.ts';
import { facts } from './table.ts';

interface ReadyText {
  /** What differs from the defaults, as sentences. */
  readonly remarks: readonly string[];
  /** Where it answers, by what; `undefined`: there is none of it. */
  readonly places: Parameters<typeof facts>[1];
  /** Lines to type next. */
  readonly steps: readonly { readonly line: string }[];
}

/** What a server says to people once it answers. */
export function readyText(style: Style, { places, remarks, steps }: ReadyText): string {
  return [
    ...remarks.map((remark) => `${style.yellow('!')} ${remark}`),
    `${style.green('✓')} Ready. Press Ctrl-C to stop.`,
    facts(style, places),
    '',
    ...(steps.length === 0
      ? []
      : ['In another terminal:', ...steps.map(({ line }) => `  ${style.cyan(line)}`), '']),
  ].join('\n');
}

/** A link that lets whoever has it in, and how long. */
export function liveLink(style: Style, url: string): string {
  return `${url}  ${style.dim('(good once, for 60 s)')}`;
}
