import type { FaultCase } from '../fault-case.ts';
import { DIRECTORY_CASES } from './directory.ts';
import { DISCOVERY_CASES } from './discovery.ts';
import { EVENTS_CASES } from './events.ts';
import { ID_JAG_CASES } from './id-jag.ts';
import { PAGES_CASES } from './pages.ts';
import { REGISTRATION_CASES } from './registration.ts';
import { TOKEN_CASES } from './token.ts';
import { TRANSPORT_CASES } from './transport.ts';

/** One list a family of scenarios. */
export const SERVICE_FAULT_CASES: readonly FaultCase[] = [
  ...DISCOVERY_CASES,
  ...TRANSPORT_CASES,
  ...TOKEN_CASES,
  ...REGISTRATION_CASES,
  ...ID_JAG_CASES,
  ...EVENTS_CASES,
  ...PAGES_CASES,
  ...DIRECTORY_CASES,
];
