import { type AnswerFault, type Spoil, withMembers, withoutHeaders } from '../../mock/index.ts';
import { PATHS } from '../metadata.ts';

/** What the mock provider can be told to decide wrongly about what its users agree to. */
export const CONSENT_FAULTS = {
  consentSkipped: 'mints without asking the user',
  consentUnstored: 'asks its user again and again',
  consentOfAnybody: 'takes the consent of one user for one of all',
  consentForAll: 'takes the consent to one service for one to all',
  consentScopesHidden: 'does not show on its consent page what is asked for',
  consentCsrfUnchecked: 'takes a consent from any page (RFC 6749 §10.12)',
  consentByGet: 'takes a consent from an address alone',
  strangerConsents: 'lets any signed-in account consent for another one',
  consentDenialIgnored: 'takes a refusal of its user for a consent',
  revocationTakesAll: 'ends all consents when one is taken back',
  consentSticks: 'answers a revocation of a consent without revoking',
} as const satisfies Readonly<Record<string, string>>;

/** With another text as its body. */
function withText(change: (text: string) => string): Spoil {
  return async (response) => {
    const { status, headers } = response;
    return new Response(change(await response.text()), { status, headers });
  };
}

/** What it can be told to answer wrongly on its pages. */
export const CONSENT_ANSWER_FAULTS = {
  consentUriMissing: {
    says: 'does not say where its user can consent (wire.md §9)',
    at: (path) => path === PATHS.token,
    spoil: withMembers({ consent_uri: undefined }),
  },
  pagesFramable: {
    says: 'lets its pages be framed (RFC 9700 §4.16)',
    at: (_path, response) => /^text\/html/.test(response.headers.get('content-type') ?? ''),
    spoil: withoutHeaders('content-security-policy', 'x-frame-options'),
  },
  consentTextRaw: {
    says: 'writes what was asked for into its consent page as HTML',
    at: (path) => path === PATHS.consent,
    spoil: withText((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
  },
  providerCookiesOpen: {
    says: 'lets scripts and other sites have its session cookies (RFC 6265 §4.1.2)',
    at: (_path, response) => response.headers.has('set-cookie'),
    spoil: (response) => {
      const cookie = response.headers.get('set-cookie') ?? '';
      response.headers.set('set-cookie', cookie.replace(/; (HttpOnly|SameSite=\w+)/g, ''));
      return response;
    },
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
