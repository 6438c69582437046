import type { AgentSettings } from '../../agent/context.ts';
import type { CredentialStore } from '../../agent/index.ts';
import type { Clock, Random } from '../../runtime/index.ts';
import type { MockProviderOptions } from '../create-mock-provider.ts';
import type { MockServiceOptions } from '../create-mock-service.ts';
import type { TestApp } from './test-network.ts';

/** What the world sets for a mock: its clock, its network and its database are everybody's. */
type OfWorld = 'clock' | 'db' | 'fetch';

/** What an agent of the world may be given; clock, network and sleep are the world's. */
export interface TestAgentOptions extends AgentSettings {
  /** Where everything is kept. Default: a fresh memory. */
  readonly store?: CredentialStore | undefined;
}

/** What a test world is made of: all of it may be left out. */
export interface TestWorldOptions {
  /**
   * The mock service: dialect, faults, lifetimes, users, scopes, … `baseUrl` is `https://service.example`, or a free
   * port. It trusts the provider of the world, unless `trust` names others.
   */
  readonly service?: Omit<MockServiceOptions, OfWorld>;
  /** The mock provider. `baseUrl` is `https://provider.example`, or a free port. */
  readonly provider?: Omit<MockProviderOptions, OfWorld>;
  /**
   * The clients of both mocks, and they alone: with their redirect URIs at the provider, without them at the service.
   * Default: any client. What `provider` or `service` names itself comes first.
   */
  readonly clients?: MockProviderOptions['clients'];
  /** What these clients reach: the first rule of the provider that fits decides. Default: everything. */
  readonly policy?: MockProviderOptions['policy'];
  /** The id that a service knows a client by; the service of the world does so, too. Default: the same id. */
  readonly clientMapping?: MockProviderOptions['clientMapping'];
  /** The agent. */
  readonly agent?: TestAgentOptions;
  /** Who the user is. Default: `alice@example.com`. */
  readonly email?: string;
  /**
   * What goes on below the clock of the world. Default: nothing, it stands still at 2026-01-01T00:00:00Z unless it is
   * moved; over HTTP the machine's. `systemClock` of `agent-auth/runtime` is for code that asks the global clock, also
   * where fake timers stand in for it.
   */
  readonly clock?: Clock;
  /**
   * The source of ids, tokens and codes. Default: a stream that is the same for each world; over HTTP the system's.
   */
  readonly random?: Random;
  /** More who answer, without a socket: a service of yours, as a function from `Request` to `Response`. */
  readonly apps?: readonly TestApp[];
}

/** What a test world over HTTP is made of: all of it may be left out. */
export interface StartTestWorldOptions
  extends Omit<TestWorldOptions, 'apps' | 'service' | 'provider'> {
  readonly service?: Omit<NonNullable<TestWorldOptions['service']>, 'baseUrl' | 'control'>;
  readonly provider?: Omit<NonNullable<TestWorldOptions['provider']>, 'baseUrl' | 'control'>;
  /** Where the mocks listen, on 127.0.0.1. Default: free ports. */
  readonly ports?: { readonly service?: number; readonly provider?: number };
}
