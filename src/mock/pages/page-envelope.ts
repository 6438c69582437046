import type { Envelope } from '../http/index.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { type Site, START_PATH } from './site.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Request refused',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Already done',
  410: 'This link is no longer valid',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

/** Problems of pages, for people. */
export function pageEnvelope(site: Site): Envelope {
  return ({ code, status, description, headers }) => {
    const title = TITLES[status] ?? 'Invalid request';
    const body = html`
    <h1>${title}</h1>
    <p>${description}${status === 405 ? ` It takes ${headers['allow'] ?? 'another one'}.` : ''}</p>
    <p>This is ${site.name}, a ${site.role.toLowerCase()}. <a href="${START_PATH}">Go to the start page</a></p>
    <p class="fine">Code: <code>${code}</code></p>`;
    return page(site, { title, body, status, headers });
  };
}
