import { isLoopbackHost } from '../../../protocol/urls.ts';
import { readBody } from '../../../runtime/read-body.ts';
import { startDeadline } from '../../../runtime/system-deadline.ts';
import type { Registration } from '../../mock/controls/registrations.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';
import type { World } from '../../shell/world.ts';

type Values = (world: World) => Promise<readonly string[]>;

const serviceFaults = () => import('../../../mock-service/faults/index.ts');
const providerFaults = () => import('../../../mock-provider/faults/index.ts');
const serviceLifetimes = async () =>
  Object.keys((await import('../../../mock-service/config/lifetimes.ts')).DEFAULT_LIFETIMES);
const providerLifetimes = async () =>
  Object.keys(
    (await import('../../../mock-provider/config/lifetimes.ts')).DEFAULT_PROVIDER_LIFETIMES,
  );
const ofService = async () => (await serviceFaults()).SERVICE_FAULT_NAMES;
const ofProvider = async () => (await providerFaults()).PROVIDER_FAULT_NAMES;

const each =
  (...all: readonly (() => Promise<readonly string[]>)[]): Values =>
  async () =>
    (await Promise.all(all.map((list) => list()))).flat();
const set = (...all: readonly (() => Promise<readonly string[]>)[]): Values => {
  const names = each(...all);
  return async (world) => (await names(world)).map((name) => `${name}=`);
};

const scenarios = (role: 'service' | 'agent' | 'provider'): Values => {
  return async () => {
    const { ALL_SCENARIOS } = await import('../../../conformance/all-scenarios.ts');
    return ALL_SCENARIOS[role].map(({ id }) => id);
  };
};

/** Faults, lifetimes, scenarios and registrations, by where they are typed: a command, or an option of it. */
export const KNOWN_VALUES: readonly (readonly [places: readonly string[], values: Values])[] = [
  [['mock service --fault'], each(ofService)],
  [['mock provider --fault'], each(ofProvider)],
  [['mock up --fault', 'mock fault'], each(ofService, ofProvider)],
  [['mock service --lifetime'], set(serviceLifetimes)],
  [['mock provider --lifetime'], set(providerLifetimes)],
  [['mock up --lifetime'], set(serviceLifetimes, providerLifetimes)],
  [
    ['mock fault --list'],
    each(
      async () => Object.keys((await serviceFaults()).SERVICE_FAULT_GROUPS),
      async () => Object.keys((await providerFaults()).PROVIDER_FAULT_GROUPS),
    ),
  ],
  [
    ['mock service --quirk', 'mock up --quirk'],
    async () => (await import('../../../mock-service/dialects/index.ts')).QUIRK_NAMES,
  ],
  ...(['service', 'agent', 'provider'] as const).map(
    (role) =>
      [[`conformance ${role} --only`, `conformance ${role} --skip`], scenarios(role)] as const,
  ),
  [['mock list', 'mock complete', 'mock deny', 'mock revoke'], ofRunningMocks],
  [['use', 'forget'], ofThisMachine],
];

async function ofThisMachine({ openStore }: World): Promise<readonly string[]> {
  const { services } = await (await openStore()).read();
  return services.flatMap(({ registrations }) => registrations.map(({ id }) => id));
}

async function ofRunningMocks(world: World): Promise<readonly string[]> {
  const mocks = new RuntimeFiles(world.environment).list();
  return (await Promise.all(mocks.map((mock) => idsAt(world, mock).catch(() => [])))).flat();
}

/** Milliseconds. Whoever presses Tab waits for it. */
const PATIENCE = 500;
const LIMIT = 1024 * 1024;

/** What is registered at a mock of this machine that can be asked without a certificate of its own. */
async function idsAt(world: World, { control }: RunningMock): Promise<readonly string[]> {
  const origin = control?.service;
  if (!control || !origin?.startsWith('http:') || !isLoopbackHost(new URL(origin).hostname)) {
    return [];
  }
  const { end, signal } = startDeadline(PATIENCE);
  try {
    const fetch = await world.loadFetch({ ca: [], proxyFor: () => undefined });
    const headers = { authorization: `Bearer ${control.token}` };
    const response = await fetch(`${origin}/__mock/registrations`, { headers, signal });
    const read = await readBody(response, LIMIT);
    if (!read.ok) return [];
    const { registrations }: { registrations: readonly Registration[] } = JSON.parse(read.text);
    return registrations.map((registration) => registration.registration_id);
  } finally {
    end();
  }
}
