import { BREAKS, type Break } from '../agents/breaks.ts';
import { AGENT_FAULT_CASES } from './agent/agent-cases.ts';
import { BROKEN_SERVERS } from './broken-servers.ts';
import type { FaultCase } from './fault-case.ts';
import type { Proof } from './proven-fault.ts';
import { PROVEN_PROVIDER_FAULTS } from './provider-faults/index.ts';
import { PROVIDER_PROOFS } from './provider-proofs.ts';
import { PROVEN_SERVICE_FAULTS } from './service-faults/index.ts';
import { SERVICE_PROOFS } from './service-proofs.ts';

/** Those that people ask for by name, and those that prove checks alone. */
const SERVICE_TABLES = [SERVICE_PROOFS, PROVEN_SERVICE_FAULTS] as const;
const PROVIDER_TABLES = [PROVIDER_PROOFS, PROVEN_PROVIDER_FAULTS] as const;

/** Each family has a test file of its own, so that every core has work: `service-token.test.ts`. */
const SERVICE = {
  'cross-app': casesOf(SERVICE_TABLES, 'cross-app'),
  directory: casesOf(SERVICE_TABLES, 'directory'),
  discovery: casesOf(SERVICE_TABLES, 'discovery'),
  events: casesOf(SERVICE_TABLES, 'events'),
  'id-jag': casesOf(SERVICE_TABLES, 'id-jag'),
  pages: casesOf(SERVICE_TABLES, 'pages'),
  registration: casesOf(SERVICE_TABLES, 'registration', 'claim'),
  token: casesOf(SERVICE_TABLES, 'token', 'resource'),
  transport: [...casesOf(SERVICE_TABLES, 'transport'), ...BROKEN_SERVERS],
  trust: casesOf(SERVICE_TABLES, 'trust'),
} satisfies Families;

const PROVIDER = {
  consents: casesOf(PROVIDER_TABLES, 'consents'),
  // Of a provider that is away nothing is judged: provider-checks.test.ts.
  documents: casesOf(PROVIDER_TABLES, 'documents').filter(({ fault }) => fault !== 'unavailable'),
  events: casesOf(PROVIDER_TABLES, 'events'),
  'cross-app': casesOf(PROVIDER_TABLES, 'cross-app'),
  minting: casesOf(PROVIDER_TABLES, 'minting'),
  'sign-in': casesOf(PROVIDER_TABLES, 'sign-in'),
} satisfies Families;

type Families = Readonly<Record<string, readonly FaultCase[]>>;

/** What a broken agent does wrong, beside what has to be seen of it. */
export interface AgentCase extends FaultCase {
  readonly fault: Break;
  readonly description: string;
}

/** Each agent that is broken in one way. */
export const AGENT_CASES: readonly AgentCase[] = (Object.keys(AGENT_FAULT_CASES) as Break[]).map(
  (fault) => {
    const checks = AGENT_FAULT_CASES[fault];
    return { fault, description: BREAKS[fault], ...seenOf(checks) };
  },
);

/** The families of a role. */
export const FAMILIES = { service: Object.keys(SERVICE), provider: Object.keys(PROVIDER) };

/** The cases of one family, or all. */
export function serviceCases(family?: keyof typeof SERVICE): readonly FaultCase[] {
  return family === undefined ? Object.values(SERVICE).flat() : SERVICE[family];
}

/** The cases of one family, or all. */
export function providerCases(family?: keyof typeof PROVIDER): readonly FaultCase[] {
  return family === undefined ? Object.values(PROVIDER).flat() : PROVIDER[family];
}

/** What has to be seen of each fault of these groups. */
function casesOf<Group extends string>(
  tables: readonly Readonly<Partial<Record<Group, Readonly<Record<string, Proof>>>>>[],
  ...groups: readonly NoInfer<Group>[]
): readonly FaultCase[] {
  const proofs = groups.flatMap((group) =>
    tables.flatMap((table) => Object.entries<Proof>(table[group] ?? {})),
  );
  return proofs.map(([fault, { fails, needs }]) => ({ fault, ...needs, ...seenOf(fails) }));
}

/** The scenarios that see it, and the checks that fail there. */
function seenOf(
  fails: Readonly<Record<string, readonly string[]>>,
): Pick<FaultCase, 'fails' | 'scenarios'> {
  return {
    scenarios: Object.keys(fails),
    fails: Object.entries(fails).flatMap(([scenario, checks]) =>
      checks.map((check) => `${scenario}.${check}`),
    ),
  };
}
