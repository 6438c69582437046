import { createMockProvider, type MockProviderOptions } from '../../mock-provider/index.ts';
import { type Clock, type Fetch, type Random, type Sleep, silentLog } from '../../runtime/index.ts';
import { type MockServing, type ServedMock, serveMock } from '../target/serve-mock.ts';
import { type CrossAppGiven, DEFAULT_REDIRECT } from './cross-app/given.ts';

/** A mock provider that is judged. */
export interface MockProviderTarget extends ServedMock {
  readonly consentsUri: string;
  readonly crossApp: CrossAppGiven;
}

/** What the mock provider is made of; `mock` are further options. */
export interface MockProviderTargetOptions extends MockServing {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly fetch: Fetch;
  readonly faults?: NonNullable<MockProviderOptions['faults']>;
  readonly mock?: Partial<MockProviderOptions>;
}

/** What the suite is told of a mock that is configured by it. */
function crossAppAt(random: Random) {
  const word = (bytes: number) => Buffer.from(random.bytes(bytes)).toString('hex');
  const secret = () => word(24);
  // Nobody asks it for anything.
  const audience = `https://server-${word(4)}.invalid`;
  return {
    client: { id: 'conformance-client', secret: secret() },
    other: { id: 'conformance-other', secret: secret() },
    redirectUri: DEFAULT_REDIRECT,
    audience,
    resource: `${audience}/mcp`,
    clientIdThere: 'conformance-client-there',
    refusedEmail: 'refused@example.com',
  } satisfies CrossAppGiven;
}

/** Clients and a policy: without them it takes any client, and promises less. */
function configuredBy(given: ReturnType<typeof crossAppAt>): Partial<MockProviderOptions> {
  const { audience } = given;
  const client = given.client.id;
  return {
    clients: [given.client, given.other].map((each) => ({
      ...each,
      redirectUris: [given.redirectUri],
    })),
    // Any service of the suite is an audience of its agent.
    audiences: ['any', { issuer: audience, scopes: ['read', 'write'] }],
    policy: [
      { client, user: given.refusedEmail, refuse: 'access_denied' },
      { client, audience, scopes: ['read'], maxAge: 3600 },
      { client, refuse: 'invalid_target' },
    ],
    clientMapping: [{ client, audience, id: given.clientIdThere }],
    tenant: 'acme',
  };
}

/** A mock provider of this program, for `--mock` and for the suite's own tests. */
export async function startMockProviderTarget(
  options: MockProviderTargetOptions,
): Promise<MockProviderTarget> {
  const { clock, fetch, random, sleep } = options;
  const crossApp = crossAppAt(random);
  const served = await serveMock(options, (baseUrl, control) =>
    createMockProvider({
      baseUrl,
      clock,
      random,
      sleep,
      fetch,
      log: silentLog,
      control,
      ...configuredBy(crossApp),
      ...(options.faults && { faults: options.faults }),
      ...options.mock,
    }),
  );
  return { ...served, crossApp, consentsUri: `${served.target}/consents` };
}
