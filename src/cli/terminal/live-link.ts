import type { Style } from './style.ts';

/** A link that lets whoever has it in, and how long. */
export function liveLink(style: Style, url: string): string {
  return `${url}  ${style.dim('(good once, for 60 s)')}`;
}
