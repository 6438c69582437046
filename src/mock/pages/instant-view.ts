import { html, type View } from './html.ts';

/** An instant for people, to the minute: a page does not know its reader's time zone. */
export function instantView(instant: number): View {
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
