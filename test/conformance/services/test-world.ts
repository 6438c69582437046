import { afterEach } from 'vitest';
import type { RunningService, ServiceOptions } from './support.ts';
import { TestAgent } from './test-agent.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';
import { TestVisitor, type Visit } from './test-visitor.ts';

/** A service, a provider that it trusts, and an agent of its own. */
export interface TestWorld {
  readonly agent: TestAgent;
  readonly provider: TestProvider;
}

type Start = (options: ServiceOptions) => Promise<RunningService>;

export const email = 'ada@example.com';
export const serviceAuth = { type: 'service_auth', login_hint: email };

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** Ends with the test. */
export async function openWorld(start: Start): Promise<TestWorld> {
  const now = () => Date.UTC(2030, 0, 1);
  const provider = await startTestProvider(now);
  endings.push(provider.close);
  const service = await start({ trust: [provider.trust], now });
  endings.push(service.close);
  return { agent: await TestAgent.discover(service.resource ?? service.url), provider };
}

/** A user in a new session signs in and types the code. */
export async function enterCode(uri: string, code: string, as: string): Promise<Visit> {
  const visitor = new TestVisitor();
  return visitor.submit(await visitor.signIn(uri, as), { user_code: code });
}
