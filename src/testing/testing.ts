import type { MockService } from '../mock-service/index.ts';
import type {
  Judgement,
  JudgeOptions,
  ServiceBuilder,
  ServiceToJudge,
} from './conform/judged-app.ts';
import type { StartedTestWorld } from './world/start-test-world.ts';
import type { StartTestWorldOptions } from './world/world-options.ts';

export type {
  AppToJudge,
  Judgement,
  JudgeOptions,
  JudgeSetting,
  NodeListener,
  ServiceBuilder,
  ServiceToJudge,
} from './conform/judged-app.ts';
export { createTestWorld } from './world/create-test-world.ts';
export type { SignedIn, SignInOptions } from './world/sign-in.ts';
export type { StartedTestWorld } from './world/start-test-world.ts';
export type { TestClock } from './world/test-clock.ts';
export type { TestApp, TestFetch } from './world/test-network.ts';
export type { TestUser } from './world/test-user.ts';
export type { TestWorld } from './world/test-world.ts';
export type { ShownClaim, UserAct } from './world/user-script.ts';
export type {
  StartTestWorldOptions,
  TestAgentOptions,
  TestWorldOptions,
} from './world/world-options.ts';

/**
 * Judges a service by the conformance suite, which is loaded by the first call: as agent, as user and as provider,
 * over HTTP. An application is served on a free port of 127.0.0.1 for the time being.
 *
 * ```ts
 * const { conforms, text } = await judge(({ origin, providers, clock }) => createApp({ origin, providers, clock }));
 * assert.ok(conforms, text);
 * ```
 *
 * A function with at most one parameter builds the service; one with more is a listener, as an Express application is.
 * A mock is one that is served, as that of `startTestWorld`; its clock is put back afterwards.
 * @throws TypeError for what is no service; BadTarget where nothing answers, or no service.
 */
export async function judge(build: ServiceBuilder, options?: JudgeOptions): Promise<Judgement>;
export async function judge(
  service: ServiceToJudge | Pick<MockService, 'issuer' | 'fetch' | 'controls'>,
  options?: JudgeOptions,
): Promise<Judgement>;
export async function judge(
  service: ServiceToJudge | Pick<MockService, 'issuer' | 'fetch' | 'controls'>,
  options: JudgeOptions = {},
): Promise<Judgement> {
  const { judge: run } = await import('./conform/judge.ts');
  return run(service, options);
}

/**
 * The same as {@link createTestWorld} over HTTP, for agents and services in other processes and for browsers: both mocks
 * on free ports of 127.0.0.1. The clock goes on by itself, and can be moved.
 *
 * ```ts
 * await using world = await startTestWorld();
 * ```
 * @throws TypeError when an option is wrong; ListenError when a port is taken.
 */
export async function startTestWorld(
  options: StartTestWorldOptions = {},
): Promise<StartedTestWorld> {
  const { startTestWorld: start } = await import('./world/start-test-world.ts');
  return start(options);
}
