import type { Clock, Random, Sleep } from '../../runtime/index.ts';
import { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';
import type { TestKey } from '../jwt/key.ts';
import type { ScenarioResult } from '../model.ts';
import { startTestProviders, type TestProviders } from '../peers/test-provider.ts';
import { FormPerson } from '../person/form-person.ts';
import type { Catalog } from '../requirements/catalog.ts';
import { type Progress, runScenarios } from '../run-scenarios.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE_SCENARIOS } from '../scenarios/service/index.ts';
import type { Selection } from '../selection.ts';
import { connectService } from './connect.ts';
import { type ControlAddress, httpControl } from './http-control.ts';
import { ServiceTime } from './service-time.ts';
import { type ServiceRun, ServiceWorld } from './service-world.ts';

export interface JudgeServiceOptions {
  readonly target: string;
  /** A protected address, absolute or relative to the target. Default: the target, or `/api/resource`. */
  readonly resource?: string | undefined;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly catalog: Catalog;
  readonly selection?: Selection;
  /** Milliseconds without an answer. */
  readonly timeout: number;
  readonly ca?: string | undefined;
  /** Where the service's clock can be moved, and its trust list extended. */
  readonly control?: ControlAddress | undefined;
  /** Milliseconds that may be waited where no clock can be moved. */
  readonly patience?: number;
  /** The provider that the suite plays: its port, its issuer as the service knows it, its key. */
  readonly provider?: {
    readonly port?: number;
    readonly issuer?: string;
    readonly key?: TestKey;
    /** The service was told to trust it. */
    readonly trusted?: boolean;
  };
  /** Serves the providers already, for a target that had to know them first. Not closed here. */
  readonly providers?: TestProviders;
  readonly mintCommand?: ServiceRun['mintCommand'];
  /** `{n}` becomes a random number. */
  readonly emailPattern?: string;
  readonly makePerson?: ServiceRun['makePerson'];
  readonly scenarios?: readonly Scenario<ServiceWorld>[];
  readonly onProgress?: (progress: Progress) => void;
}

const NOT_TRUSTED =
  'The service does not trust the provider that the suite plays: see --provider-issuer, --provider-port, --control.';

/**
 * Judges a service that runs. Resolves with what was found, whatever that is.
 * @throws BadTarget when there is no service at the address.
 */
export async function judgeService(
  options: JudgeServiceOptions,
): Promise<readonly ScenarioResult[]> {
  const { clock, catalog, random, sleep } = options;
  const http = new HttpClient({ clock, timeout: options.timeout, ca: options.ca });
  try {
    const get = (url: string) => http.send(url, {}, new Recorder(clock));
    const facts = await connectService(get, options.target, options.resource);
    const providers =
      options.providers ??
      (await startTestProviders({
        clock,
        random,
        port: options.provider?.port ?? 0,
        issuer: options.provider?.issuer,
        key: options.provider?.key,
      }));
    try {
      const control = options.control && httpControl(http, clock, options.control);
      const time = new ServiceTime({ clock, sleep, control, patience: options.patience ?? 0 });
      time.learn((await get(options.target)).header('date'));
      if (control !== undefined && options.provider?.trusted !== true) {
        await control.trust(providers.provider);
        await control.trust(providers.other);
      }
      const trusted = options.provider?.trusted === true || control !== undefined;
      const run: ServiceRun = {
        facts,
        http,
        providers,
        time,
        random,
        distrust: trusted ? undefined : NOT_TRUSTED,
        mintCommand: options.mintCommand,
        emailPattern: options.emailPattern ?? 'conformance-{n}@example.com',
        makePerson: options.makePerson ?? ((visit) => new FormPerson(visit)),
      };
      return await runScenarios({
        scenarios: options.scenarios ?? SERVICE_SCENARIOS,
        world: (recorder) => new ServiceWorld(run, recorder),
        catalog,
        clock,
        ...(options.selection && { selection: options.selection }),
        ...(options.onProgress && { onProgress: options.onProgress }),
        after: async () => {
          for (const peer of [providers.provider, providers.other, providers.stranger]) {
            peer.restore();
            peer.hits.length = 0;
          }
        },
      });
    } finally {
      if (options.providers === undefined) await providers.close();
    }
  } finally {
    await http.close();
  }
}
