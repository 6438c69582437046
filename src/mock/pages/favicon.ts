import { html, raw, type View } from './html.ts';
import type { Site } from './site.ts';

export const FAVICON_PATH = '/favicon.svg';

const MARK =
  '<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="M19 9.3a8 8 0 1 0 4.4 4.2"/><path d="m12.5 15.5 4 4 9-10.5"/></g>';

/** The colour of the mark tells the mocks apart. */
const COLOURS: Readonly<Record<Site['role'], string>> = {
  'Mock service': '#0b5cad',
  'Mock provider': '#6d3fb0',
  Replay: '#0b5cad',
};

export function faviconOf({ role }: Pick<Site, 'role'>): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes(role)}</svg>`;
}

/** The same, beside the name of the mock. */
export function markView({ role }: Pick<Site, 'role'>): View {
  return html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">${raw(shapes(role))}</svg>`;
}

function shapes(role: Site['role']): string {
  return `<rect width="32" height="32" rx="8" fill="${COLOURS[role]}"/>${MARK}`;
}
