import type { FetchHandler } from '../../../mock/http/app.ts';
import type { LivePart } from '../../../mock/live/live-part.ts';
import type { Database } from '../../../mock/store/database.ts';
import type { Clock, Fetch, Log, Random, Sleep } from '../../../runtime/ports.ts';
import type { ExchangeLog } from '../../../traffic/exchange-log.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Metadata } from './metadata.ts';
import type { MockOptions } from './mock-options.ts';
import type { MockTls } from './mock-tls.ts';

/** A mock, as a command starts it. */
export interface MockRole {
  readonly name: 'service' | 'provider';
  /** How it is called before the users of the other. */
  readonly title: (options: MockOptions) => string;
  readonly defaultPort: number;
  readonly lifetimes: readonly string[];
  readonly faults: readonly string[];
  /**
   * What needs no running server.
   * @throws CliError (usage) for an option that the mock does not take.
   */
  readonly prepare: (
    options: MockOptions,
    lifetimes: ReadonlyMap<string, number>,
  ) => Promise<PreparedMock>;
}

/** A mock whose options were checked. */
export interface PreparedMock {
  /** What differs from the defaults, as sentences. */
  readonly remarks: readonly string[];
  /** What only a claim gives at the service; undefined when it adds nothing. */
  readonly claimScope?: string | undefined;
  readonly create: (setting: MockSetting) => Promise<CreatedMock>;
}

/** Where a mock runs. */
export interface MockSetting {
  readonly context: Context;
  readonly tls: MockTls | undefined;
  /** The mock that it knows from the start. */
  readonly peer: { readonly issuer: string; readonly name: string } | undefined;
  /** What every mock takes. */
  readonly given: {
    readonly baseUrl: string;
    readonly clock: Clock;
    readonly random: Random;
    readonly delay: Sleep;
    readonly log: Log;
    readonly db: Database;
    readonly metadata: Metadata;
    readonly exchanges: ExchangeLog;
    readonly control?: { readonly token: string; readonly allowRemote: boolean | undefined };
  };
}

interface CreatedMock {
  readonly issuer: string;
  readonly live: LivePart;
  readonly fetch: FetchHandler;
  close(): Promise<void>;
}

/** The mocks reject a wrong option with a `TypeError` whose message is for the user. */
export async function checkOptions<T>(create: () => T | Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    throw error instanceof TypeError ? usageError(error.message, { cause: error }) : error;
  }
}

/** A fetch that is loaded when it is first called. */
export function later(load: () => Promise<Fetch>): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, init) => {
    loading ??= load();
    return (await loading)(url, init);
  };
}
