import { MINUTE } from '../../protocol/index.ts';
import type { Death } from '../engine/death-watch.ts';
import { drawSeed, Invented } from '../engine/invented.ts';
import type { ScenarioResult } from '../engine/model.ts';
import { runScenarios } from '../engine/runner.ts';
import { deselected, leftOut, type Scenario } from '../engine/scenario.ts';
import { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';
import { answers } from '../target/answers.ts';
import { httpControl } from '../target/http-control.ts';
import type { JudgeTargetOptions } from '../target/judge-target-options.ts';
import { TargetTime } from '../target/target-time.ts';
import { usersOf } from '../user/users-of.ts';
import type { CrossAppGiven } from './cross-app/given.ts';
import { connectProvider, saysItHasAgent } from './provider-facts.ts';
import { MintedAudiences, type ProviderRun } from './provider-run.ts';
import { ProviderWorld } from './provider-world.ts';
import { providerConnections } from './scenarios/connections.ts';
import { CROSS_APP_SCENARIOS } from './scenarios/cross-app/index.ts';
import { providerDiscovery } from './scenarios/discovery.ts';
import { PROVIDER_SCENARIOS } from './scenarios/index.ts';
import { mintedAudiences, providerStaysUp } from './scenarios/whole-run.ts';
import { FormProviderUser } from './sign-in.ts';
import { TestServices } from './test-services.ts';

/** What {@link judgeProvider} needs. Durations are milliseconds. */
export interface JudgeProviderOptions extends JudgeTargetOptions<ProviderWorld> {
  /** The issuer of the provider. */
  readonly target: string;
  /** The agent's id at the provider, a public client. Default: `agent-auth`. */
  readonly clientId?: string;
  /** A client with credentials, by which cross-app access is judged. Default: it is not. */
  readonly crossApp?: CrossAppGiven;
  /** The suite's services: port, and base URL as the provider reaches it. */
  readonly services?: { readonly port?: number; readonly base?: string };
  /** Issuers below the base URL that the provider mints for. Default: any. */
  readonly audiences?: readonly string[];
  /** Gives an ID token of a user, where none can be had by a device sign-in. */
  readonly idTokenCommand?: ProviderRun['idTokenCommand'];
  readonly mintCommand?: ProviderRun['mintCommand'];
  /** The page where a user revokes consents. */
  readonly consentsUri?: string;
  /** How long to wait for an event, in milliseconds. Default: the timeout. */
  readonly deliveryWindow?: number;
  /** Who signs in and consents. Default: somebody who fills in the forms of the pages. */
  readonly makeUser?: ProviderRun['makeUser'];
}

/**
 * Judges a running provider. Resolves to the results, good or bad.
 * @throws BadTarget when there is no provider at the URL.
 */
export async function judgeProvider(
  options: JudgeProviderOptions,
): Promise<readonly ScenarioResult[]> {
  const { clock, random, sleep, timeout } = options;
  const seed = options.seed ?? drawSeed(random);
  const http = new HttpClient({ ...options, peer: 'provider' });
  const closing = [() => http.close()];
  try {
    const get = (url: string) => http.send(url, {}, new Recorder(clock));
    const found = await connectProvider(get, options.target, options.mintCommand !== undefined);
    const { crossApp, idTokenCommand } = options;
    const isForAgents = crossApp === undefined || (await saysItHasAgent(get, found));
    const facts = { ...found, isForAgents };
    const services = await TestServices.start({
      clock,
      random,
      invented: new Invented(seed, 'services'),
      port: options.services?.port ?? 0,
      base: options.services?.base,
    });
    closing.unshift(() => services.close());
    const control = options.control && (await httpControl(http, clock, options.control));
    if (control !== undefined) closing.unshift(() => control.restore());
    const time = new TargetTime({ clock, sleep, control, patience: options.patience ?? 0 });
    const learnTime = async () => {
      const answer = await get(facts.metadataUrl);
      time.learn(answer.header('date'), answer.header('age'));
    };
    await learnTime();
    const deaths: Death[] = [];
    const run: ProviderRun = {
      deaths,
      facts,
      http,
      services,
      time,
      random,
      sleep,
      control,
      clientId: options.clientId ?? 'agent-auth',
      crossApp: crossApp && { ...crossApp, idTokenCommand },
      audiences: options.audiences,
      ...usersOf({ ...options, patience: options.patience ?? 0 }),
      idTokenCommand,
      mintCommand: options.mintCommand,
      consentsUri: options.consentsUri,
      deliveryWindow: options.deliveryWindow ?? timeout,
      connectionLimit: options.connectionLimit ?? 2 * MINUTE,
      history: { audiences: new MintedAudiences(), breaking: { isKnown: false } },
      makeUser: options.makeUser ?? ((visit, means) => new FormProviderUser(visit, means)),
    };
    const results = await runScenarios({
      ...options,
      scenarios: scenariosOfferedBy(run, options.scenarios ?? PROVIDER_SCENARIOS),
      onResult: (result) => options.onResult?.(resultOfferedBy(run, result)),
      // Users and services that are the same in each scenario are one scenario's at a time.
      together:
        options.together ??
        (control === undefined && run.audiences === undefined && run.accounts.areEnough),
      world: (recorder, { id }, waiter) =>
        new ProviderWorld({ ...run, time: time.for(waiter) }, recorder, new Invented(seed, id)),
      isAlive: () => answers(get, facts.metadataUrl),
      origin: new URL(facts.metadataUrl).origin,
      onDeath: (death) => deaths.push(death),
      revival: {
        sleep,
        within: options.patience ?? 0,
        onBack: learnTime,
      },
    });
    return results.map((result) => resultOfferedBy(run, result));
  } finally {
    // A target that is gone cannot be restored; its report is kept.
    for (const close of closing) await close().catch(() => undefined);
  }
}

type Offer = Pick<ProviderRun, 'crossApp' | 'facts'>;

const idsOf = (scenarios: readonly Scenario<ProviderWorld>[]): ReadonlySet<string> =>
  new Set(scenarios.map(({ id }) => id));

const OF_BOTH = idsOf([providerDiscovery, providerConnections, mintedAudiences, providerStaysUp]);
const OF_CLIENTS = idsOf(CROSS_APP_SCENARIOS);

const NO_AGENT =
  'The provider has clients, and no agent of its own: cross-app access alone is judged.';

/** Whether a scenario is offered: it is about clients of the provider's own, or about an agent whose users register. */
function isOffered(id: string, { crossApp, facts }: Offer): boolean {
  if (OF_BOTH.has(id)) return true;
  return OF_CLIENTS.has(id) ? crossApp !== undefined : facts.isForAgents;
}

/** The scenarios that are offered. Those of an agent say why they do not apply to a provider that has none. */
function scenariosOfferedBy(
  offer: Offer,
  scenarios: readonly Scenario<ProviderWorld>[],
): readonly Scenario<ProviderWorld>[] {
  // Those of clients name what they need.
  const isKept = ({ id }: { readonly id: string }) => OF_CLIENTS.has(id) || isOffered(id, offer);
  return scenarios.map((each) => (isKept(each) ? each : leftOut(each, NO_AGENT)));
}

function resultOfferedBy(offer: Offer, result: ScenarioResult): ScenarioResult {
  return isOffered(result.id, offer) ? result : deselected(result);
}
