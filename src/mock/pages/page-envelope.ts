import type { Envelope } from '../http/index.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import type { Site } from './site.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: 'This was refused',
  404: 'Nothing is here',
  405: 'That does not work here',
  409: 'This was done already',
  410: 'This is over',
  429: 'Too many tries',
  503: 'Not right now',
};

/** Problems of pages, for people. */
export function pageEnvelope(site: Site): Envelope {
  return ({ code, status, description, headers }) => {
    const title = TITLES[status] ?? 'Something is wrong with this request';
    const body = html`
    <h1>${title}</h1>
    <p>${description}</p>
    <p><a href="${site.homePath}">Go to the start</a></p>
    <p class="fine">Code: <code>${code}</code></p>`;
    return page(site, { title, body, status, headers });
  };
}
