import { STATES, type State } from '../../protocol/index.ts';
import { type Match, type MatcherCall, match, matchOfNothing } from './result.ts';

/** Something whose registration has a state: a registration as the controls or an agent show it. */
export interface WithState {
  readonly state: string;
}

/** A mock service: its newest registration counts, or the one with the id. */
export interface HasRegistrations {
  readonly controls: {
    registrations(): Promise<readonly (WithState & { readonly facts: { readonly id: string } })[]>;
  };
}

/** An agent: the registration that it uses, or the one with the id. */
export interface HasStatus {
  status(): Promise<{
    readonly lastService: string | null;
    readonly services: readonly {
      readonly issuer: string;
      readonly registrations: readonly (WithState & {
        readonly current: boolean;
        readonly registration: { readonly id: string };
      })[];
    }[];
  }>;
}

/**
 * Where there is no registration, or none with the id, it fails, under `not` as well.
 * @throws TypeError for a state that there is not, and for what has none.
 */
export function hasState(
  call: MatcherCall,
  received: unknown,
  state: State,
  id?: string,
): Match | Promise<Match> {
  if (!STATES.includes(state)) {
    throw new TypeError(`There is no state "${state}". There are ${STATES.join(', ')}.`);
  }
  if (isService(received)) return ofService(call, received, state, id);
  if (isAgent(received)) return ofAgent(call, received, state, id);
  if (isObject(received) && typeof received['state'] === 'string') {
    const expected = { verb: `the state ${state}` };
    return match(received['state'] === state, expected, `It is ${received['state']}.`);
  }
  throw new TypeError(
    'toHaveState is for a registration of service.controls or of agent.status(), for a mock service, or for an agent.',
  );
}

async function ofService(
  call: MatcherCall,
  { controls }: HasRegistrations,
  state: State,
  id?: string,
): Promise<Match> {
  const all = await controls.registrations();
  const found = id === undefined ? all[0] : all.find(({ facts }) => facts.id === id);
  return told(call, 'the service', found && { id: found.facts.id, state: found.state }, state, {
    id,
    others: all.map(({ facts, state }) => `${facts.id} is ${state}`),
  });
}

async function ofAgent(
  call: MatcherCall,
  agent: HasStatus,
  state: State,
  id?: string,
): Promise<Match> {
  const { lastService, services } = await agent.status();
  const all = services.flatMap(({ issuer, registrations }) =>
    registrations.map((each) => ({ ...each, issuer, id: each.registration.id })),
  );
  const inUse = all.filter(({ current }) => current);
  const found =
    id === undefined
      ? (inUse.find(({ issuer }) => issuer === lastService) ?? inUse[0])
      : all.find((each) => each.id === id);
  return told(call, 'the agent', found, state, {
    id,
    others: all.map(({ id, state }) => `${id} is ${state}`),
  });
}

function told(
  call: MatcherCall,
  who: string,
  found: { readonly id: string; readonly state: string } | undefined,
  state: State,
  { id, others }: { readonly id: string | undefined; readonly others: readonly string[] },
): Match {
  const subject = ['the registration', id ?? found?.id, 'of', who].filter(Boolean).join(' ');
  const expected = { subject, verb: `to have the state ${state}` };
  if (found !== undefined) return match(found.state === state, expected, `It is ${found.state}.`);
  const seen =
    others.length === 0 ? 'There is no registration.' : `There are: ${others.join('; ')}.`;
  return matchOfNothing(call, expected, seen);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isService(value: unknown): value is HasRegistrations {
  const controls = isObject(value) ? value['controls'] : undefined;
  return isObject(controls) && typeof controls['registrations'] === 'function';
}

function isAgent(value: unknown): value is HasStatus {
  return isObject(value) && typeof value['status'] === 'function';
}
