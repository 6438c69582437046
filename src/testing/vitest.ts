import { type Assertion, test as base, type ExpectStatic, expect as vitestExpect } from 'vitest';
import type { Agent } from '../agent/index.ts';
import type { MockProvider } from '../mock-provider/index.ts';
import type { MockService } from '../mock-service/index.ts';
import type { State } from '../protocol/index.ts';
import {
  type IdJagSigner,
  type IdJagWanted,
  idJagFor,
  idJagSignedBy,
  idJagWith,
} from './matchers/id-jag-for.ts';
import type { Match, MatcherCall } from './matchers/result.ts';
import { type HasRegistrations, type HasStatus, hasState } from './matchers/state.ts';
import {
  createTestWorld,
  type JudgeOptions,
  judge,
  type ServiceBuilder,
  type ServiceToJudge,
  type TestClock,
  type TestUser,
  type TestWorld,
  type TestWorldOptions,
} from './testing.ts';

export type { IdJagSigner, IdJagWanted } from './matchers/id-jag-for.ts';
export type { MatcherCall } from './matchers/result.ts';

/** `expect` of Vitest, with the matchers. It knows what a function that builds a service is given. */
export const expect: ExpectOfKit = vitestExpect;

/** `expect` of Vitest; what builds a service to judge needs no types of its own. */
export type ExpectOfKit = ((build: ServiceBuilder, message?: string) => Assertion<ServiceBuilder>) &
  ExpectStatic;

/** What each test may take: made when it is asked for, closed after the test. */
export interface TestWorldFixtures {
  /** What the world is made of. Set it for a `describe` or a file: `test.override({ worldOptions: { … } })`. */
  worldOptions: TestWorldOptions;
  /** Everybody, on one clock, without a socket. */
  world: TestWorld;
  service: MockService;
  provider: MockProvider;
  agent: Agent;
  clock: TestClock;
  user: TestUser;
}

/** `test` of Vitest, with a world of its own for each test that takes a part of one. */
export const test = base.extend<TestWorldFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture takes from its first parameter.
  worldOptions: async ({}, use) => use({}),
  world: async ({ worldOptions }, use) => {
    const world = await createTestWorld(worldOptions);
    await use(world);
    await world.close();
  },
  service: async ({ world }, use) => use(world.service),
  provider: async ({ world }, use) => use(world.provider),
  agent: async ({ world }, use) => use(world.agent),
  clock: async ({ world }, use) => use(world.clock),
  user: async ({ world }, use) => use(world.user),
});

/** The same. */
export const it = test;

/** What the matchers compare with. */
export interface AgentAuthMatchers<T = unknown> {
  /**
   * A text, or a `Secret`, is an ID-JAG for this audience: `typ`, `alg`, `aud`, `iss`, `sub`, `jti`, `client_id`, times,
   * contact (wire contract §3). The signature is looked at with `by` alone. What is no text fails, under `not` as well.
   */
  toBeIdJagFor(audience: string): void;
  /** The same, signed by a key that `by` publishes, and not expired by its clock. Await it. */
  toBeIdJagFor(audience: string, by: IdJagSigner): Promise<void>;
  /**
   * An ID-JAG for cross-app access that names this client, resource, scope and user: without `auth_time` and contact,
   * which only registration demands. With `by`, await it.
   */
  toBeIdJagFor(audience: string, wanted: IdJagWanted & { readonly by: IdJagSigner }): Promise<void>;
  toBeIdJagFor(audience: string, wanted: IdJagWanted): void;
  /**
   * A registration has this state. Of a mock service the newest one counts, of an agent the one in use, or the one with
   * the id: await it then. Where there is none it fails, under `not` as well.
   */
  toHaveState(
    state: State,
    registrationId?: string,
  ): T extends HasRegistrations | HasStatus ? Promise<void> : void;
  /**
   * The conformance suite finds nothing wrong with this service: see `judge` of `agent-auth/testing`. Await it. Where
   * something could not be judged it fails, under `not` as well.
   */
  toConform(options?: JudgeOptions): Promise<void>;
}

/** What is neither is refused as a signer. */
function isSigner(wanted: IdJagSigner | IdJagWanted): wanted is IdJagSigner {
  return typeof wanted !== 'object' || wanted === null || 'issuer' in wanted || 'fetch' in wanted;
}

/** The matchers for `expect.extend`, where the import of this module is not enough: for another copy of Vitest. */
export const matchers = {
  toBeIdJagFor(
    this: MatcherCall,
    received: unknown,
    audience: string,
    wanted?: IdJagSigner | IdJagWanted,
  ) {
    if (wanted === undefined) return idJagFor(this, received, audience);
    return isSigner(wanted)
      ? idJagSignedBy(this, received, audience, wanted)
      : idJagWith(this, received, audience, wanted);
  },
  toHaveState(this: MatcherCall, received: unknown, state: State, registrationId?: string) {
    return hasState(this, received, state, registrationId);
  },
  toConform(this: MatcherCall, received: unknown, options?: JudgeOptions) {
    return conforms(this, received, options);
  },
};

expect.extend(matchers);

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: it has to be declared as Vitest declares it.
  interface Matchers<T = any> extends AgentAuthMatchers<T> {}
}

/** Whether a service conforms. An answer that was not found out fails, under `not` as well. */
async function conforms(
  { isNot }: MatcherCall,
  received: unknown,
  options?: JudgeOptions,
): Promise<Match> {
  const { conforms, report, text } = await judge(received as ServiceToJudge, options);
  const isFound = conforms || report.verdict.outcome === 'does_not_conform';
  return { pass: isFound ? conforms : isNot, message: () => text };
}
