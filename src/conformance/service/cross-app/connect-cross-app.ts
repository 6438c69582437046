import { PROTECTED_RESOURCE_PATH } from '../../../protocol/index.ts';
import { type Answer, isObject } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import type { ServiceFacts } from '../service-facts.ts';
import { insertedUrl, metadataHint } from '../steps/urls.ts';
import type { TestProviders } from '../test-provider.ts';
import type { CrossAppFacts, CrossAppResource } from './cross-app.ts';
import type { CrossAppOptions } from './given.ts';
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
  const { clientDocument, clients = [], reading = 'ema', resources = [], subject } = crossApp;
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
    ...(clientDocument === true ? [documented] : []),
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

/** What MCP clients begin with, and all that some servers answer. */
const INITIALIZE: Sending = {
  headers: [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ],
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'agent-auth conformance', version: '1' },
    },
  }),
};

type Send = (url: string, sending?: Sending) => Promise<Answer>;

/** Finds which of the URLs are protected: by a GET, or by what an MCP client sends first. */
async function findResources(
  send: Send,
  urls: readonly string[],
): Promise<readonly CrossAppResource[]> {
  const found: CrossAppResource[] = [];
  for (const url of new Set(urls)) {
    for (const call of [{}, INITIALIZE]) {
      const answer = await orNothing(send(url, call));
      if (answer?.status !== 401) continue;
      found.push({ url, call, ...(await readMetadata(send, url, metadataHint(answer))) });
      break;
    }
  }
  return found;
}

async function readMetadata(send: Send, url: string, hint: string | undefined) {
  const inserted = insertedUrl(url, PROTECTED_RESOURCE_PATH);
  const hinted = hint !== undefined && URL.canParse(hint) ? [hint] : [];
  for (const place of [...hinted, inserted, new URL(PROTECTED_RESOURCE_PATH, url).href]) {
    const document = (await orNothing(send(place)))?.json;
    if (!isObject(document) || typeof document['resource'] !== 'string') continue;
    const scopes = document['scopes_supported'];
    return {
      id: document['resource'],
      scopes: Array.isArray(scopes) ? scopes.filter(isScope) : [],
    };
  }
  return { id: url, scopes: [] };
}

/** What is asked of a sign-in is no scope of a resource. */
function isScope(scope: unknown): scope is string {
  return typeof scope === 'string' && !/^(openid|offline_access)$/.test(scope);
}

async function orNothing(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
}
