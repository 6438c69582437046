import {
  atEndpoint,
  atHandler,
  on,
  readQuery,
  replacing,
  withMembers,
  withoutHeaders,
  withStatus,
  withText,
} from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInProviderFault } from './provider-fault.ts';
import { unasked } from './redeciding.ts';

/** Faults: what it does wrong with what its users agree to. */
export const CONSENT_FAULTS = {
  noConsent: {
    description: 'issues ID-JAGs without asking the user',
    decisions: unasked,
    breaks: ['AR-AUTH-3.provider', 'W9-09', 'IDJ-16', 'A-52'],
    fails: { consent: ['asked'] },
  },
  repeatedConsentPrompt: {
    description: 'asks for a consent that was already given',
    parts: ({ consents }) => ({ consents: replacing(consents, { decide: async () => true }) }),
    breaks: ['AR-DOES-1.provider'],
    fails: { consent: ['granted'] },
  },
  sharedConsentAcrossUsers: {
    description: 'treats the consent of one user as that of all',
    decisions: (right) => ({
      ...right,
      consentFor: ({ audience }) => ({ where: 'audience = ?', values: [audience] }),
    }),
    breaks: ['A-52'],
    fails: { consent: ['per-user'] },
  },
  sharedConsentAcrossServices: {
    description: 'treats the consent for one service as one for all',
    decisions: (right) => ({
      ...right,
      consentFor: ({ email }) => ({ where: 'email = ?', values: [email] }),
    }),
    breaks: ['AR-AUTH-3.provider', 'W9-09', 'A-52'],
    fails: { consent: ['per-audience'] },
  },
  missingScopesOnPage: {
    description: 'does not show on its consent page which scopes are asked for',
    parts: ({ views }) => ({
      views: {
        ...views,
        consent: (view) =>
          views.consent({ ...view, audience: { ...view.audience, scopes: undefined } }),
      },
    }),
    breaks: ['IDJ-16'],
    fails: { consent: ['page-shows'] },
  },
  uncheckedConsentCsrf: {
    description: 'accepts a consent from any page (RFC 6749 §10.12)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.consent, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(sessions, { checkCsrf: () => {} }),
      })),
    breaks: ['A-52-FORGED'],
    fails: { 'consent-attacks': ['cross-site'] },
  },
  acceptedConsentByGet: {
    description: 'accepts a consent by GET',
    parts: (mock) =>
      atHandler(
        mock,
        { path: PATHS.consent, method: 'GET' },
        ({ consents }, right) =>
          async (c) => {
            const request = await consents.find(readQuery(c, 'request') ?? '');
            if (request && readQuery(c, 'decision') === 'approve') {
              await consents.decide(request.id, request.email, 'approve');
            }
            return right(c);
          },
      ),
    breaks: ['A-52-FORGED'],
    fails: { 'consent-attacks': ['address'] },
  },
  uncheckedConsentAccount: {
    description: 'lets any signed-in account consent for another',
    decisions: (right) => ({ ...right, mayAnswer: () => true }),
    breaks: ['A-52'],
    fails: { 'consent-attacks': ['stranger'] },
  },
  ignoredConsentDenial: {
    description: 'treats the denial of a user as a consent',
    parts: ({ consents }) => ({
      consents: replacing(consents, {
        decide: (id, email) => consents.decide(id, email, 'approve'),
      }),
    }),
    breaks: ['A-52', 'W9-09'],
    fails: { consent: ['denied'] },
  },
  uncheckedConsentScope: {
    description: 'issues ID-JAGs for scopes that its user was not asked for (ID-JAG §4.3.3)',
    decisions: (right) => ({
      ...right,
      mint: (facts, ...rest) =>
        right.mint({ ...facts, consent: facts.consent && { scopes: undefined } }, ...rest),
    }),
    breaks: ['A-25.provider'],
    fails: { consent: ['scopes'] },
  },
  ignoredConsentRevocation: {
    description: 'answers a revocation of a consent without revoking',
    parts: () => ({ revokeConsent: async () => ({ revoked: true, event: undefined }) }),
    breaks: ['AR-AUTH-3.provider', 'W9-09', 'A-52-REVOKED'],
    fails: { 'consent-revoked': ['refused'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

/** Faults: what it answers wrongly on its pages. */
export const CONSENT_ANSWER_FAULTS = {
  refusedAgentRevocation: {
    description: 'refuses an agent that takes a consent back (wire contract §9.3)',
    answers: on((path) => path === PATHS.consentRevocation, withStatus(500)),
    breaks: ['W9-27'],
    fails: { 'consent-revoked': ['accepted'] },
  },
  missingRevokedMember: {
    description: 'answers a revocation of a consent with an empty object (wire contract §9.3)',
    answers: on(
      (path) => path === PATHS.consentRevocation,
      withMembers({ audience: undefined, revoked: undefined }),
    ),
    breaks: ['W9-27'],
    fails: { 'consent-revoked': ['answer'] },
  },
  missingFrameProtection: {
    description: 'lets its pages be framed (RFC 9700 §4.16)',
    answers: on(
      (_path, response) => /^text\/html/.test(response.headers.get('content-type') ?? ''),
      withoutHeaders('content-security-policy', 'x-frame-options'),
    ),
    breaks: ['A-15.provider'],
    fails: { consent: ['page-framing'] },
  },
  unescapedConsentText: {
    description: 'writes the requested scopes into its consent page unescaped',
    answers: on(
      (path) => path === PATHS.consent,
      withText((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
    ),
    breaks: ['A-30.provider'],
    fails: { consent: ['page-text'] },
  },
  exposedSession: {
    description: 'exposes its session cookies to scripts and other sites (RFC 6265 §4.1.2)',
    answers: on(
      (_path, response) => response.headers.has('set-cookie'),
      (response) => {
        const cookie = response.headers.get('set-cookie') ?? '';
        response.headers.set('set-cookie', cookie.replace(/; (HttpOnly|SameSite=\w+)/g, ''));
        return response;
      },
    ),
    breaks: ['A-45.provider'],
    fails: { 'consent-attacks': ['cookies'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;
