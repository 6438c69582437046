import { NotApplicable } from '../engine/judge.ts';
import type { ScenarioResult } from '../engine/model.ts';
import type { Scenario } from '../engine/scenario.ts';
import type { ProviderRun } from './provider-run.ts';
import type { ProviderWorld } from './provider-world.ts';
import { providerConnections } from './scenarios/connections.ts';
import { CROSS_APP_SCENARIOS } from './scenarios/cross-app/index.ts';
import { providerDiscovery } from './scenarios/discovery.ts';
import { mintedAudiences } from './scenarios/minted-audiences.ts';
import { providerStaysUp } from './scenarios/stays-up.ts';

type Offer = Pick<ProviderRun, 'crossApp' | 'facts'>;

const idsOf = (scenarios: readonly Scenario<ProviderWorld>[]): ReadonlySet<string> =>
  new Set(scenarios.map(({ id }) => id));

const OF_BOTH = idsOf([providerDiscovery, providerConnections, mintedAudiences, providerStaysUp]);
const OF_CLIENTS = idsOf(CROSS_APP_SCENARIOS);

const NO_AGENT =
  'The provider has clients, and no agent of its own: cross-app access alone is judged.';

/** With clients of its own, and for an agent whose users register: which of both a scenario is about. */
function isOffered(id: string, { crossApp, facts }: Offer): boolean {
  if (OF_BOTH.has(id)) return true;
  return OF_CLIENTS.has(id) ? crossApp !== undefined : facts.isForAgents;
}

/** Those of an agent say why they do not apply to a provider that has none. */
export function scenariosOfferedBy(
  offer: Offer,
  scenarios: readonly Scenario<ProviderWorld>[],
): readonly Scenario<ProviderWorld>[] {
  return scenarios.map((scenario) => {
    // Those of clients name what they need.
    if (OF_CLIENTS.has(scenario.id) || isOffered(scenario.id, offer)) return scenario;
    const run = async () => {
      throw new NotApplicable(NO_AGENT);
    };
    return { ...scenario, run };
  });
}

/** Nobody asks for what is left out: no story of it is missing. */
export function resultOfferedBy(offer: Offer, result: ScenarioResult): ScenarioResult {
  if (isOffered(result.id, offer)) return result;
  return { ...result, checks: result.checks.map((check) => ({ ...check, deselected: true })) };
}
