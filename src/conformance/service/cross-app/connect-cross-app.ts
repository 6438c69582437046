import type { ServiceFacts } from '../service-facts.ts';
import type { TestProviders } from '../test-provider.ts';
import type { CrossAppFacts, CrossAppOptions } from './cross-app.ts';
import { findResources } from './resources.ts';
import { secretMethod, type TestClient } from './test-client.ts';

/**
 * Learns what there is to judge of cross-app access at a server.
 * @param registerUrl Where agents register, in whatever dialect.
 */
export async function crossAppOf(
  facts: ServiceFacts,
  registerUrl: string | undefined,
  {
    crossApp = {},
    target,
  }: { readonly crossApp?: CrossAppOptions | undefined; readonly target: string },
  { provider }: TestProviders,
  distrust: string | undefined,
  send: Parameters<typeof findResources>[0],
): Promise<CrossAppFacts> {
  const { byDocument = false, clients = [], reading = 'ema', resources = [], subject } = crossApp;
  const documented: TestClient = {
    id: provider.redeemingClientId,
    method: 'private_key_jwt',
    key: provider.clientKey,
  };
  const [client, otherClient] = [
    ...clients.map(
      ({ id, secret }): TestClient => ({
        id,
        ...(secret !== undefined && { secret }),
        method: secretMethod(secret, facts.metadata),
      }),
    ),
    ...(byDocument ? [documented] : []),
  ];
  // Who lists a grant for claims is meant for registrations, and lacks what says where.
  const isAlone =
    registerUrl === undefined &&
    facts.claimGrant === undefined &&
    Object.keys(facts.agentAuth).length === 0;
  const urls = resources.length > 0 ? resources : [facts.resource ?? target];
  return {
    ...{ client, otherClient, documented, reading, subject, distrust, isAlone },
    resources:
      client === undefined
        ? []
        : await findResources(
            send,
            urls.map((url) => new URL(url, target).href),
          ),
  };
}
