import { CALL_SCENARIOS } from '../../../src/conformance/scenarios/agent/call/index.ts';
import { CLAIM_SCENARIOS } from '../../../src/conformance/scenarios/agent/claim/index.ts';
import { DISCOVERY_SCENARIOS } from '../../../src/conformance/scenarios/agent/discovery/index.ts';
import { HOSTILE_SCENARIOS } from '../../../src/conformance/scenarios/agent/hostile/index.ts';
import { PROVIDER_MINTS_SCENARIOS } from '../../../src/conformance/scenarios/agent/provider/index.ts';
import { BREAKS, type Break } from '../agents/breaks.ts';
import { AGENT_FAULT_CASES } from './agent/agent-cases.ts';
import type { FaultCase } from './fault-case.ts';
import { CONSENT_CASES } from './provider/consents.ts';
import { DOCUMENT_CASES } from './provider/documents.ts';
import { EVENT_CASES } from './provider/events.ts';
import { MINTING_CASES } from './provider/minting.ts';
import { SIGN_IN_CASES } from './provider/sign-in.ts';
import { DIRECTORY_CASES } from './service/directory.ts';
import { DISCOVERY_CASES } from './service/discovery.ts';
import { EVENTS_CASES } from './service/events.ts';
import { ID_JAG_CASES } from './service/id-jag.ts';
import { PAGES_CASES } from './service/pages.ts';
import { REGISTRATION_CASES } from './service/registration.ts';
import { TOKEN_CASES } from './service/token.ts';
import { TRANSPORT_CASES } from './service/transport.ts';

/** Each family has a test file of its own, so that every core has work: `service-token.test.ts`. */
const SERVICE = {
  directory: DIRECTORY_CASES,
  discovery: DISCOVERY_CASES,
  events: EVENTS_CASES,
  'id-jag': ID_JAG_CASES,
  pages: PAGES_CASES,
  registration: REGISTRATION_CASES,
  token: TOKEN_CASES,
  transport: TRANSPORT_CASES,
} satisfies Families;

const PROVIDER = {
  consents: CONSENT_CASES,
  documents: DOCUMENT_CASES,
  events: EVENT_CASES,
  minting: MINTING_CASES,
  'sign-in': SIGN_IN_CASES,
} satisfies Families;

/** By the folder of the scenario that is named first. */
const AGENT = {
  call: agentCasesOf(CALL_SCENARIOS),
  claim: agentCasesOf(CLAIM_SCENARIOS),
  discovery: agentCasesOf(DISCOVERY_SCENARIOS),
  hostile: agentCasesOf(HOSTILE_SCENARIOS),
  provider: agentCasesOf(PROVIDER_MINTS_SCENARIOS),
} satisfies Families;

type Families = Readonly<Record<string, readonly FaultCase[]>>;

/** What a broken agent does wrong, beside what has to be seen of it. */
export interface AgentCase extends FaultCase {
  readonly fault: Break;
  readonly says: string;
}

/** The families of a role. */
export const FAMILIES = {
  service: Object.keys(SERVICE),
  provider: Object.keys(PROVIDER),
  agent: Object.keys(AGENT),
};

/** The cases of one family, or all. */
export function serviceCases(family?: keyof typeof SERVICE): readonly FaultCase[] {
  return family === undefined ? Object.values(SERVICE).flat() : SERVICE[family];
}

/** The cases of one family, or all. */
export function providerCases(family?: keyof typeof PROVIDER): readonly FaultCase[] {
  return family === undefined ? Object.values(PROVIDER).flat() : PROVIDER[family];
}

/** The cases of one family, or all. */
export function agentCases(family?: keyof typeof AGENT): readonly AgentCase[] {
  return family === undefined ? Object.values(AGENT).flat() : AGENT[family];
}

function agentCasesOf(scenarios: readonly { readonly id: string }[]): readonly AgentCase[] {
  return (Object.keys(AGENT_FAULT_CASES) as Break[])
    .map((fault) => ({ fault, says: BREAKS[fault], checks: AGENT_FAULT_CASES[fault] }))
    .filter(({ checks }) => scenarios.some(({ id }) => id === Object.keys(checks)[0]))
    .map(({ fault, says, checks }) => ({
      fault,
      says,
      scenarios: Object.keys(checks),
      fails: Object.entries(checks).flatMap(([scenario, names]) =>
        names.map((name) => `${scenario}.${name}`),
      ),
    }));
}
