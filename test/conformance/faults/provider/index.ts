import type { FaultCase } from '../fault-case.ts';
import { CONSENT_CASES } from './consents.ts';
import { DOCUMENT_CASES } from './documents.ts';
import { EVENT_CASES } from './events.ts';
import { MINTING_CASES } from './minting.ts';
import { SIGN_IN_CASES } from './sign-in.ts';

/** One list a family of scenarios. */
export const PROVIDER_FAULT_CASES: readonly FaultCase[] = [
  ...DOCUMENT_CASES,
  ...SIGN_IN_CASES,
  ...MINTING_CASES,
  ...CONSENT_CASES,
  ...EVENT_CASES,
];
