import type { ProvenProviderFault } from '../proven-fault.ts';
import { AUTHORIZATION_FAULTS } from './authorization-faults.ts';
import { CODE_FAULTS } from './code-faults.ts';
import { CONSENT_ANSWER_FAULTS, CONSENT_FAULTS } from './consent-faults.ts';
import { DOCUMENT_ANSWER_FAULTS, KEY_FAULTS } from './document-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { EXCHANGE_FAULTS } from './exchange-faults.ts';
import { ID_JAG_FAULTS } from './id-jag-faults.ts';
import { MINT_ANSWER_FAULTS, MINT_FAULTS } from './mint-faults.ts';
import { SESSION_FAULTS } from './session-faults.ts';
import { SIGN_IN_ANSWER_FAULTS, SIGN_IN_FAULTS } from './sign-in-faults.ts';
import { TOKEN_REQUEST_FAULTS } from './token-request-faults.ts';

/** Faults that prove checks of the suite alone, by what they are about. */
export const PROVEN_PROVIDER_FAULTS = {
  documents: { ...KEY_FAULTS, ...DOCUMENT_ANSWER_FAULTS },
  'sign-in': { ...SIGN_IN_FAULTS, ...SESSION_FAULTS, ...SIGN_IN_ANSWER_FAULTS },
  minting: { ...ID_JAG_FAULTS, ...MINT_FAULTS, ...TOKEN_REQUEST_FAULTS, ...MINT_ANSWER_FAULTS },
  consents: { ...CONSENT_FAULTS, ...CONSENT_ANSWER_FAULTS },
  events: EVENT_FAULTS,
  'cross-app': { ...AUTHORIZATION_FAULTS, ...CODE_FAULTS, ...EXCHANGE_FAULTS },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ProvenProviderFault>>>>;
