import { ALL_SCENARIOS } from '../../../conformance/all-scenarios.ts';
import { ROLES } from '../../../conformance/engine/model.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../mock-provider/config/lifetimes.ts';
import {
  PROVIDER_FAULT_GROUPS,
  PROVIDER_FAULT_NAMES,
} from '../../../mock-provider/faults/index.ts';
import { DEFAULT_LIFETIMES } from '../../../mock-service/config/lifetimes.ts';
import { QUIRK_NAMES } from '../../../mock-service/dialects/index.ts';
import { SERVICE_FAULT_GROUPS, SERVICE_FAULT_NAMES } from '../../../mock-service/faults/index.ts';
import type { CompletionValue, KnownValues } from './completion-tree.ts';

const SERVERS = {
  service: [SERVICE_FAULT_NAMES, Object.keys(DEFAULT_LIFETIMES)],
  provider: [PROVIDER_FAULT_NAMES, Object.keys(DEFAULT_PROVIDER_LIFETIMES)],
  up: [
    [...SERVICE_FAULT_NAMES, ...PROVIDER_FAULT_NAMES],
    [...Object.keys(DEFAULT_LIFETIMES), ...Object.keys(DEFAULT_PROVIDER_LIFETIMES)],
  ],
} as const satisfies Readonly<
  Record<string, readonly [faults: readonly string[], lifetimes: readonly string[]]>
>;

const OF_MOCK: CompletionValue = { kind: 'asked', list: 'mock-registrations' };
const OF_AGENT: CompletionValue = { kind: 'asked', list: 'registrations' };

/** Faults, lifetimes, scenarios and registrations, by where they are typed. */
export const KNOWN_VALUES: KnownValues = {
  options: Object.fromEntries([
    ...Object.entries(SERVERS).flatMap(([server, [faults, lifetimes]]) => [
      [`mock ${server} --fault`, choice(faults)],
      [`mock ${server} --lifetime`, choice(lifetimes.map((name) => `${name}=`))],
    ]),
    [
      'mock fault --list',
      choice([...Object.keys(SERVICE_FAULT_GROUPS), ...Object.keys(PROVIDER_FAULT_GROUPS)]),
    ],
    ...(['service', 'up'] as const).map((server) => [
      `mock ${server} --quirk`,
      choice(QUIRK_NAMES),
    ]),
    ...ROLES.flatMap((role) =>
      ['--only', '--skip'].map((flag) => [
        `conformance ${role} ${flag}`,
        choice(ALL_SCENARIOS[role].map(({ id }) => id)),
      ]),
    ),
  ]),
  arguments: {
    'mock fault': choice([...SERVICE_FAULT_NAMES, ...PROVIDER_FAULT_NAMES]),
    'mock list': OF_MOCK,
    'mock complete': OF_MOCK,
    'mock deny': OF_MOCK,
    'mock revoke': OF_MOCK,
    lint: { kind: 'file' },
    use: OF_AGENT,
    forget: OF_AGENT,
  },
};

function choice(names: readonly string[]): CompletionValue {
  return { kind: 'choice', choices: [...new Set(names)] };
}
