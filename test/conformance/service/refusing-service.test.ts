import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';

const DOCUMENTS = new Set([
  'challenge',
  'resource-metadata',
  'server-metadata',
  'agent-auth',
  'service-keys',
  'skill-file',
  'hostile-headers',
]);

/** What is right of any answer at all: how it is framed, what its header fields say, where its URLs lead. */
const OF_ANY_ANSWER = [
  'cors.credentials',
  'error-leaks.internals',
  'error-leaks.secrets',
  'error-leaks.status',
  'event-transport.secure',
  'header-injection.split',
  'smuggling.folded',
  'smuggling.odd-lengths',
  'smuggling.one-answer',
  'smuggling.refused-bodies',
  'smuggling.two-lengths',
  'smuggling.two-ways',
  'stays-up.answers',
];

/** Publishes right metadata, and has one answer to everything else. */
async function startRefusing(status: number, body: object) {
  const server: Server = createServer((request, response) => {
    const document = documents(`http://${request.headers.host}`)[request.url ?? ''];
    const isRead = document !== undefined && request.method === 'GET';
    request.resume().on('end', () => {
      response.writeHead(isRead ? 200 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRead ? document : body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function documents(origin: string): Readonly<Record<string, object>> {
  const resource = {
    resource: origin,
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
  };
  return {
    '/.well-known/oauth-protected-resource': resource,
    '/.well-known/oauth-authorization-server': {
      issuer: origin,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: [],
      grant_types_supported: [
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'urn:vendor:agent-auth:grant-type:claim',
      ],
      agent_auth: {
        identity_endpoint: `${origin}/identity`,
        claim_endpoint: `${origin}/claim`,
        events_endpoint: `${origin}/events`,
        identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
        events_supported: ['https://events.example/identity/assertion/revoked'],
      },
    },
  };
}

it.each([
  ['404 to everything', 404, { error: 'not_found' }, ['error-texts']],
  ['415 to everything', 415, { error: 'invalid_request' }, ['error-texts']],
  ['401 to everything', 401, { error: 'unauthorized' }, ['error-texts', 'header-injection']],
  ['403 to everything', 403, { error: 'forbidden' }, ['error-texts']],
  ['200 and nothing to everything', 200, {}, ['event-headers', 'event-transport', 'grants']],
] as const)(
  'a service that answers %s passes no check that something is refused',
  async (_title, status, body, own) => {
    const results = await judgeRunning(() => startRefusing(status, body));
    const passed = withStatus(results, ['pass'])
      .map(({ id }) => id)
      .filter((id) => !DOCUMENTS.has(id.split('.')[0] ?? ''));
    const others = passed.filter((id) => !own.some((scenario) => id.startsWith(`${scenario}.`)));
    expect(others.filter((id) => !OF_ANY_ANSWER.includes(id))).toEqual([]);
    // The suite went all the way: these it could judge.
    expect(passed).toContain('smuggling.two-lengths');
    expect(withStatus(results, ['untestable']).length).toBeGreaterThan(100);
  },
);
