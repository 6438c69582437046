import type { Served } from '../../../mock/http/serve.ts';
import type { Database } from '../../../mock/store/database.ts';
import type { ExchangeLog } from '../../../traffic/exchange-log.ts';
import type { Context } from '../../shell/context.ts';
import type { MockLive } from '../live/mock-live.ts';
import { orExplain } from './explain-listen.ts';
import { type Metadata, pickMetadata } from './metadata.ts';
import type { MockOptions } from './mock-options.ts';
import { checkOptions, type MockRole, type MockSetting, type PreparedMock } from './mock-role.ts';
import type { MockTls } from './mock-tls.ts';
import { type Place, serveMock } from './serve-mock.ts';
import { eventLog, watchRequests } from './watch.ts';

/** A mock of this process, with the options that are its own. */
export interface MockPlan {
  readonly role: MockRole;
  readonly options: MockOptions;
  readonly place: Place;
  readonly prepared: PreparedMock;
}

/** What the mocks of one process share. */
interface Shared {
  readonly tls: MockTls | undefined;
  readonly db: Database;
  readonly metadata: Metadata;
  /** What their controls ask for. `undefined`: they have none. */
  readonly controlToken: string | undefined;
  /** The log of both mocks, which has their exchanges in one order. */
  readonly exchanges: ExchangeLog;
  readonly live: MockLive | undefined;
}

/** A mock that answers. */
export interface StartedMock {
  readonly name: MockRole['name'];
  /** Its base URL, which may differ from where it listens. */
  readonly issuer: string;
  readonly served: Served;
  /** What differs from the defaults, as sentences. */
  readonly remarks: readonly string[];
}

/**
 * Serves the mocks. Two are configured with each other's URL, which is known once its port is bound: so the first
 * is bound, then the second, and then both are built.
 * @throws CliError when a port is not available.
 */
export async function startMocks(
  context: Context,
  plans: readonly MockPlan[],
  shared: Shared,
): Promise<readonly StartedMock[]> {
  const issuers = plans.map(() => new Known<string>());
  const starting: Promise<StartedMock>[] = [];
  for (const [at, plan] of plans.entries()) {
    const peerOf = async (issuer: string) => {
      issuers[at]?.is(issuer);
      const other = plans.findIndex((each) => each !== plan);
      const url = await issuers[other]?.value;
      const name = plans[other]?.role.title(plan.options);
      return url === undefined || name === undefined ? undefined : { issuer: url, name };
    };
    // Bound one after the other, or both would try the same free port.
    await issuers[at - 1]?.value;
    const started = startMock(context, plan, shared, peerOf);
    // One that fails to start ends the other, which waits for it.
    started.catch((error) => issuers[at]?.failed(error));
    starting.push(started);
  }
  const results = await Promise.allSettled(starting);
  const failed = results.find((result) => result.status === 'rejected');
  const started = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  if (failed === undefined) return started;
  for (const { served } of started) await served.close();
  throw failed.reason;
}

/** @param peerOf is called once the mock is bound and its issuer known: it may wait for the other's. */
async function startMock(
  context: Context,
  { role, options, place, prepared }: MockPlan,
  { tls, db, metadata, controlToken, exchanges, live }: Shared,
  peerOf: (issuer: string) => Promise<MockSetting['peer']>,
): Promise<StartedMock> {
  const { name } = role;
  const { clock, ownsProcess, random, sleep: delay } = context.world;
  const log = eventLog(context, name);
  let issuer = '';
  let stop = async () => {};
  const served = await orExplain(
    context,
    serveMock(place, {
      log,
      tls: tls?.files,
      overrideGlobalObjects: ownsProcess,
      build: async (origin) => {
        const baseUrl = options.baseUrl ?? origin;
        const peer = await peerOf(baseUrl);
        const given = {
          ...{ baseUrl, clock, random, delay, log, db, exchanges },
          metadata: pickMetadata(metadata, name),
          ...(controlToken !== undefined && {
            control: { token: controlToken, allowRemote: options.allowRemoteControl },
          }),
        };
        const mock = await checkOptions(() => prepared.create({ context, tls, peer, given }));
        issuer = mock.issuer;
        stop = () => mock.close();
        const watched = watchRequests(context, name, (request) => mock.fetch(request));
        return live === undefined
          ? watched
          : live.around(watched, { part: mock.live, origin, issuer });
      },
    }),
  );
  // First what it does by itself: a service that hangs must not hold up the end.
  const close = async () => {
    await stop();
    await served.close();
  };
  const wanted = place.port ?? place.defaultPort;
  const isMoved = served.port !== wanted && wanted !== 0;
  const moved = `Port ${wanted} is taken, so the ${name} is on port ${served.port}.`;
  const remarks = [...(isMoved ? [moved] : []), ...prepared.remarks];
  return { name, issuer, served: { ...served, close }, remarks };
}

/** A value that becomes known later, or turns out never to be. */
class Known<T> {
  readonly value: Promise<T>;
  is: (value: T) => void = () => {};
  failed: (reason: unknown) => void = () => {};

  constructor() {
    this.value = new Promise((resolve, reject) => {
      this.is = resolve;
      this.failed = reject;
    });
    // The caller reports the failure, so it is no unhandled rejection here.
    this.value.catch(() => {});
  }
}
