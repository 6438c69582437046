import { html, type View } from './html.ts';

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
