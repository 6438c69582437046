import { PROVIDER_OPTIONS, SERVICE_OPTIONS } from '../mock-options.ts';
import { type OptionNames, refuseOptions } from '../refuse-options.ts';
import type { StartTestWorldOptions, TestAgentOptions, TestWorldOptions } from './world-options.ts';

const WORLD: OptionNames<TestWorldOptions> = {
  ...{ agent: true, apps: true, clock: true, email: true },
  ...{ provider: true, random: true, service: true },
  ...{ clientMapping: true, clients: true, policy: true },
};
const { apps: _apps, ...OVER_HTTP } = WORLD;
const STARTED: OptionNames<StartTestWorldOptions> = { ...OVER_HTTP, ports: true };
const AGENT: OptionNames<TestAgentOptions> = {
  ...{
    allowOrigins: true,
    clients: true,
    dialect: true,
    environmentToken: true,
    environmentService: true,
  },
  ...{ members: true, name: true, store: true, strict: true, unownedToken: true },
};
// A world has these of its own.
const { clock: _sc, db: _sd, fetch: _sf, ...SERVICE } = SERVICE_OPTIONS;
const { clock: _pc, db: _pd, fetch: _pf, ...PROVIDER } = PROVIDER_OPTIONS;

const OF_WORLD = 'the whole world has one. Give it beside service and provider.';
const FIXED = {
  clock: OF_WORLD,
  fetch: 'mocks ask who is in the world.',
  db: 'the world has its own.',
};
const OVER_NETWORK = {
  baseUrl: 'it is where the mock listens. ports chooses that.',
  control: 'the world has a controlToken.',
};

/** @throws TypeError for a wrong option of `createTestWorld`, and how to give it. */
export function refuseWorld(options: TestWorldOptions): void {
  refuseOptions(options, WORLD);
  const { apps = [], provider, service } = options;
  if (provider !== undefined) refuseOptions(provider, PROVIDER, 'provider.', FIXED);
  if (service !== undefined) refuseOptions(service, SERVICE, 'service.', FIXED);
  if (!Array.isArray(apps)) {
    throw new TypeError("apps is a list: [{ issuer: 'https://api.example', fetch: app.fetch }].");
  }
  refuseClockAndRandom(options);
}

/** @throws TypeError for a wrong option of `startTestWorld`, and how to give it. */
export function refuseStarted(options: StartTestWorldOptions): void {
  const apps = 'over HTTP, an application listens itself, and the agent is given its URL.';
  refuseOptions(options, STARTED, '', { apps });
  const { ports = {}, provider, service } = options;
  const fixed = { ...FIXED, ...OVER_NETWORK };
  const { baseUrl: _p, control: _q, ...ofProvider } = PROVIDER;
  const { baseUrl: _s, control: _t, ...ofService } = SERVICE;
  if (provider !== undefined) refuseOptions(provider, ofProvider, 'provider.', fixed);
  if (service !== undefined) refuseOptions(service, ofService, 'service.', fixed);
  refuseOptions(ports, { provider: true, service: true }, 'ports.');
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined || (Number.isInteger(port) && port >= 0 && port < 65_536)) continue;
    throw new TypeError(`ports.${name} is a port, from 0 (a free one) to 65535, not ${port}.`);
  }
  refuseClockAndRandom(options);
}

/** @throws TypeError for an option of an agent that there is not. */
export function refuseAgent(options: TestAgentOptions): void {
  const ofWorld = 'it is that of the world.';
  const fixed = { clock: ofWorld, fetch: ofWorld, log: ofWorld, random: ofWorld, sleep: ofWorld };
  refuseOptions(options, AGENT, 'agent.', fixed);
}

/** What the world calls of what it is given. */
function refuseClockAndRandom({ clock, random }: Pick<TestWorldOptions, 'clock' | 'random'>): void {
  if (clock !== undefined && typeof clock?.now !== 'function') {
    throw new TypeError(
      'clock has now(), in milliseconds: systemClock of agent-auth/runtime does.',
    );
  }
  if (random !== undefined && typeof random?.bytes !== 'function') {
    throw new TypeError(
      'random has bytes(length): new SeededRandom(7) of agent-auth/runtime does.',
    );
  }
}
