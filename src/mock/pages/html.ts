import * as hono from 'hono/html';

/** Text that is HTML already: what is put into {@link html} as it is. */
type Html = string & { readonly isEscaped: true };

/** What {@link html} makes: escaped text, at once or once its values are there. */
export type View = Html | Promise<Html>;

/** HTML from a template; every value in it is escaped, unless it is {@link Html}. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = hono.html;

/** Takes a text for HTML. */
export const raw: (text: string) => Html = hono.raw;

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

/** An instant for people, to the minute: a page does not know its reader's time zone. */
export function instantView(instant: number): View {
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** An instant to the second, with its day where that is not the day of `now`. */
export function clockTimeView(instant: number, now: number): View {
  const iso = new Date(instant).toISOString();
  const isToday = iso.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  const shown = iso.slice(isToday ? 11 : 0, 19).replace('T', ' ');
  return html`<time datetime="${iso}">${shown} UTC</time>`;
}
