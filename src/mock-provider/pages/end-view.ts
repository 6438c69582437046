import { html, type View } from '../../mock/pages/html.ts';
import { type OutcomeView, outcomeView } from '../../mock/pages/outcome-view.ts';
import { page } from '../../mock/pages/page.ts';
import type { Site } from '../../mock/pages/site.ts';
import { PATHS } from '../config/paths.ts';

const TO_CONSENTS = html`<p class="actions"><a class="button secondary" href="${PATHS.consents}">See which services learn who you are</a></p>`;
const TO_DEVICE = html`<p class="actions"><a class="button secondary" href="${PATHS.device}">Enter another code</a></p>`;

const ENDS = {
  sign_in_approved: {
    kind: 'done',
    word: 'Approved',
    title: 'Your agent is signed in',
    text: 'It will notice within seconds. You can close this page.',
  },
  sign_in_denied: {
    kind: 'refused',
    word: 'Denied',
    title: 'Sign-in denied',
    text: 'The agent will be told, and is not signed in.',
  },
  code_closed: {
    kind: 'expired',
    word: 'Too late',
    title: 'This code is no longer open',
    text: 'It has expired, or was answered before, perhaps in another window. Nothing was decided here. Ask your agent for a new code.',
    next: TO_DEVICE,
  },
  consent_approved: {
    kind: 'done',
    word: 'Approved',
    title: 'Consent given',
    text: 'Your agent can continue. You can close this page.',
    next: TO_CONSENTS,
  },
  consent_denied: {
    kind: 'refused',
    word: 'Denied',
    title: 'Consent denied',
    text: 'The agent will be told. The service learns nothing about you.',
  },
  consent_closed: {
    kind: 'expired',
    word: 'Too late',
    title: 'This request is no longer open',
    text: 'It has expired, was answered before, or was replaced by a newer one. Nothing was decided here. Start again from your agent.',
    next: TO_CONSENTS,
  },
} as const satisfies Readonly<Record<string, OutcomeView>>;

type End = keyof typeof ENDS;

/** The page after an answer. `about`: which agent, or which service. */
export function endView(end: End, about?: string): View {
  const { next, ...outcome }: OutcomeView = ENDS[end];
  return outcomeView({
    ...outcome,
    next: html`${about === undefined ? '' : html`<p class="fine">${end.startsWith('consent') ? 'Service' : 'Agent'}: ${about}</p>`}${next ?? ''}`,
  });
}

/** The page of it. @param about which agent, or which service. */
export function endPage(
  { site, views }: { readonly site: Site; readonly views: { readonly end: typeof endView } },
  end: End,
  { about, status = 200 }: { readonly about?: string; readonly status?: number } = {},
): Promise<Response> {
  return page(site, { title: ENDS[end].title, body: views.end(end, about), status });
}
