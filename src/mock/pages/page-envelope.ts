import { type Envelope, wantsPage } from '../http/request.ts';
import { html } from './html.ts';
import { type OutcomeKind, outcomeView } from './outcome-view.ts';
import { page } from './page.ts';
import { type Site, START_PATH } from './site.ts';

interface Heading {
  readonly title: string;
  readonly kind: OutcomeKind;
  /** Default: the status. */
  readonly word?: string;
}

/** What a code is about, where its status alone would not say it. */
const CODES: Readonly<Record<string, Heading>> = {
  csrf_failed: { title: 'The form was not accepted', kind: 'failed', word: 'Not sent' },
  claim_attempt_expired: { title: 'This link has expired', kind: 'expired' },
  claim_expired: { title: 'This link is no longer valid', kind: 'expired', word: 'Ended' },
  already_claimed: {
    title: 'This was approved already',
    kind: 'refused',
    word: 'Already decided',
  },
  too_many_attempts: { title: 'Too many attempts', kind: 'refused', word: 'Locked' },
};

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Request refused',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Already done',
  410: 'This link is no longer valid',
  413: 'Too much was sent',
  415: 'Not a form',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

/** Problems of pages, for people. */
export function pageEnvelope(site: Site): Envelope {
  return ({ code, status, description, headers }) => {
    const heading = headingOf(code, status);
    const body = outcomeView({
      word: `Error ${status}`,
      ...heading,
      text: `${description}${status === 405 ? ` It takes ${headers['allow'] ?? 'another one'}.` : ''}`,
      next: html`<p><a href="${START_PATH}">Go to the start page</a> of ${site.name}, a ${site.role.toLowerCase()}.</p>
      <p class="fine">Code: <code>${code}</code></p>`,
    });
    return page(site, { title: heading.title, body, status, headers });
  };
}

function headingOf(code: string, status: number): Heading {
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  return known ?? { title: TITLES[status] ?? 'Invalid request', kind: 'failed' };
}

/**
 * The envelope of an endpoint for programs. A browser that opens its URL gets a page where the request
 * did not reach the endpoint's own rules: an unknown path, a method that it does not take.
 */
export function forBrowsers(site: Site, envelope: Envelope): Envelope {
  const asPage = pageEnvelope(site);
  return (problem, request) =>
    (problem.surface === 'transport' && wantsPage(request) ? asPage : envelope)(problem, request);
}
