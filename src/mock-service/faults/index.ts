import type { AnswerFault } from '../../mock/index.ts';
import { CLAIM_FAULTS } from './claim-faults.ts';
import { DIRECTORY_ANSWER_FAULTS, DIRECTORY_FAULTS } from './directory-faults.ts';
import { DISCOVERY_ANSWER_FAULTS, DISCOVERY_FAULTS } from './discovery-faults.ts';
import { EVENTS_ANSWER_FAULTS, EVENTS_FAULTS } from './events-faults.ts';
import { HTTP_ANSWER_FAULTS, HTTP_FAULTS } from './http-faults.ts';
import { ID_JAG_ANSWER_FAULTS, ID_JAG_FAULTS } from './id-jag-faults.ts';
import { PAGES_ANSWER_FAULTS, PAGES_FAULTS } from './pages-faults.ts';
import { REGISTRATION_ANSWER_FAULTS, REGISTRATION_FAULTS } from './registration-faults.ts';
import { TOKEN_ANSWER_FAULTS, TOKEN_FAULTS } from './token-faults.ts';

/** The faults that are answers of another kind, applied where replies leave. */
export const ANSWER_FAULTS = {
  ...DISCOVERY_ANSWER_FAULTS,
  ...HTTP_ANSWER_FAULTS,
  ...REGISTRATION_ANSWER_FAULTS,
  ...ID_JAG_ANSWER_FAULTS,
  ...PAGES_ANSWER_FAULTS,
  ...EVENTS_ANSWER_FAULTS,
  ...DIRECTORY_ANSWER_FAULTS,
  ...TOKEN_ANSWER_FAULTS,
} as const satisfies Readonly<Record<string, AnswerFault>>;

type AnswerFaultName = keyof typeof ANSWER_FAULTS;

/**
 * What the mock service can be told to do wrong, each with the requirement that it breaks. A fault is
 * asked for where a real service would have the mistake.
 */
export const SERVICE_FAULTS = {
  ...CLAIM_FAULTS,
  ...DISCOVERY_FAULTS,
  ...HTTP_FAULTS,
  ...REGISTRATION_FAULTS,
  ...ID_JAG_FAULTS,
  ...PAGES_FAULTS,
  ...EVENTS_FAULTS,
  ...DIRECTORY_FAULTS,
  ...TOKEN_FAULTS,
  ...(Object.fromEntries(
    Object.entries<AnswerFault>(ANSWER_FAULTS).map(([name, { says }]) => [name, says]),
  ) as Readonly<Record<AnswerFaultName, string>>),
} satisfies Readonly<Record<string, string>>;

export type ServiceFault = keyof typeof SERVICE_FAULTS;

export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as readonly ServiceFault[];
