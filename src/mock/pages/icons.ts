import { html, raw, type View } from './html.ts';

/** Strokes on a ground of 24 by 24. */
const SHAPES = {
  done: '<path d="m5.5 12.5 4.5 4.5 8.5-10"/>',
  refused: '<circle cx="12" cy="12" r="7.5"/><path d="m6.9 17.1 10.2-10.2"/>',
  expired: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  failed: '<circle cx="12" cy="12" r="8"/><path d="M12 8v4.5"/><path d="M12 15.9v.1"/>',
} as const;

export type IconName = keyof typeof SHAPES;

/** A picture beside words that say the same: nothing for a screen reader. */
export function icon(name: IconName): View {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${raw(SHAPES[name])}</svg>`;
}
