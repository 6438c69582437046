import { withoutCsrf } from '../../../../src/mock/faults/without-csrf.ts';
import { readQuery } from '../../../../src/mock/http/request.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { atEndpoint, atHandler, on, replacing, withMembers, withStatus, withText, withoutHeaders } =
  rewire;

/** Faults: what it does wrong with what its users agree to. */
export const CONSENT_FAULTS = {
  repeatedConsentPrompt: {
    description: 'asks for a consent that was already given',
    parts: ({ consents }) => ({ consents: replacing(consents, { decide: async () => true }) }),
    fails: { consent: ['granted'] },
  },
  sharedConsentAcrossUsers: {
    description: 'treats the consent of one user as that of all',
    decisions: (right) => ({
      ...right,
      consentFor: ({ audience }) => ({ where: 'audience = ?', values: [audience] }),
    }),
    fails: { consent: ['per-user'] },
  },
  sharedConsentAcrossServices: {
    description: 'treats the consent for one service as one for all',
    decisions: (right) => ({
      ...right,
      consentFor: ({ email }) => ({ where: 'email = ?', values: [email] }),
    }),
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
    fails: { consent: ['page-shows'] },
  },
  uncheckedConsentCsrf: {
    description: 'accepts a consent from any page (RFC 6749 §10.12)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.consent, method: 'POST' }, ({ sessions }) => ({
        sessions: replacing(sessions, { checkCsrf: () => {} }),
      })),
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
    fails: { 'consent-attacks': ['address'] },
  },
  uncheckedConsentAccount: {
    description: 'lets any signed-in account consent for another',
    decisions: (right) => ({ ...right, mayAnswer: () => true }),
    fails: { 'consent-attacks': ['stranger'] },
  },
  uncheckedRevocationCsrf: {
    description: 'revokes a consent by a form of any page (RFC 6749 §10.12)',
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.consents, method: 'POST' }, ({ sessions }) => ({
        sessions: withoutCsrf(sessions),
      })),
    fails: { 'consent-attacks': ['revoked-cross-site'] },
  },
  sharedRevocation: {
    description: 'revokes with one consent of a user those for all services',
    parts: ({ consents, revokeConsent }) => ({
      revokeConsent: async (provider, revoked) => {
        const given = await consents.listOf(revoked.email);
        for (const { audience } of given) {
          if (audience !== revoked.audience)
            await revokeConsent(provider, { ...revoked, audience });
        }
        return revokeConsent(provider, revoked);
      },
    }),
    fails: { 'consent-revoked': ['apart'] },
  },
  ignoredConsentDenial: {
    description: 'treats the denial of a user as a consent',
    parts: ({ consents }) => ({
      consents: replacing(consents, {
        decide: (id, email) => consents.decide(id, email, 'approve'),
      }),
    }),
    fails: { consent: ['denied'] },
  },
  uncheckedConsentScope: {
    description: 'issues ID-JAGs for scopes that its user was not asked for (ID-JAG §4.3.3)',
    decisions: (right) => ({
      ...right,
      mint: (facts, ...rest) =>
        right.mint({ ...facts, consent: facts.consent && { scopes: undefined } }, ...rest),
    }),
    fails: { consent: ['scopes'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

/** Faults: what it answers wrongly on its pages. */
export const CONSENT_ANSWER_FAULTS = {
  refusedAgentRevocation: {
    description: 'refuses an agent that takes a consent back (wire contract §9.3)',
    answers: on((path) => path === PATHS.consentRevocation, withStatus(500)),
    fails: { 'consent-revoked': ['accepted'] },
  },
  missingRevokedMember: {
    description: 'answers a revocation of a consent with an empty object (wire contract §9.3)',
    answers: on(
      (path) => path === PATHS.consentRevocation,
      withMembers({ audience: undefined, revoked: undefined }),
    ),
    fails: { 'consent-revoked': ['answer'] },
  },
  missingFrameProtection: {
    description: 'lets its pages be framed (RFC 9700 §4.16)',
    answers: on(
      (_path, response) => /^text\/html/.test(response.headers.get('content-type') ?? ''),
      withoutHeaders('content-security-policy', 'x-frame-options'),
    ),
    fails: { consent: ['page-framing'] },
  },
  unescapedConsentText: {
    description: 'writes the requested scopes into its consent page unescaped',
    answers: on(
      (path) => path === PATHS.consent,
      withText((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
    ),
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
    fails: { 'consent-attacks': ['cookies'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
