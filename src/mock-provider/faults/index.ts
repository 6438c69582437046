import type { AnswerFault } from '../../mock/index.ts';
import { CONSENT_ANSWER_FAULTS, CONSENT_FAULTS } from './consent-faults.ts';
import { DOCUMENT_ANSWER_FAULTS, DOCUMENT_FAULTS } from './document-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { MINT_ANSWER_FAULTS, MINT_FAULTS } from './mint-faults.ts';
import { SIGN_IN_ANSWER_FAULTS, SIGN_IN_FAULTS } from './sign-in-faults.ts';

/** The faults that are answers of another kind, applied where replies leave. */
export const ANSWER_FAULTS = {
  ...DOCUMENT_ANSWER_FAULTS,
  ...SIGN_IN_ANSWER_FAULTS,
  ...MINT_ANSWER_FAULTS,
  ...CONSENT_ANSWER_FAULTS,
} as const satisfies Readonly<Record<string, AnswerFault>>;

type AnswerFaultName = keyof typeof ANSWER_FAULTS;

/**
 * What the mock provider can be told to do wrong, each with the requirement that it breaks. A fault is
 * asked for where a real provider would have the mistake.
 */
export const PROVIDER_FAULTS = {
  ...DOCUMENT_FAULTS,
  ...SIGN_IN_FAULTS,
  ...MINT_FAULTS,
  ...CONSENT_FAULTS,
  ...EVENT_FAULTS,
  ...(Object.fromEntries(
    Object.entries<AnswerFault>(ANSWER_FAULTS).map(([name, { says }]) => [name, says]),
  ) as Readonly<Record<AnswerFaultName, string>>),
} satisfies Readonly<Record<string, string>>;

export type ProviderFault = keyof typeof PROVIDER_FAULTS;

export const PROVIDER_FAULT_NAMES = Object.keys(PROVIDER_FAULTS) as readonly ProviderFault[];
