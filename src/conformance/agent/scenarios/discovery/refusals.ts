import type { Invented } from '../../../engine/invented.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { type AgentWorld, changeMembers, ofKind } from '../../agent-world.ts';
import type { ServicePeer } from '../../service-peer.ts';
import {
  type DiscoveryDocuments,
  issuerOf,
  publishDiscovery,
  resourceDocument,
} from '../../steps/publish-discovery.ts';
import { none, some, without } from '../../steps/rows.ts';
import { needTraffic, registrations } from '../../steps/traffic.ts';

/** Runs the agent at a service with these documents. Refused: the agent did not register. */
async function runWith(world: AgentWorld, options: (service: ServicePeer) => DiscoveryDocuments) {
  const service = await world.service();
  publishDiscovery(service, options(service));
  const run = await world.run('call', { service });
  needTraffic(run);
  const registered = registrations(run.traffic);
  return { service, run, refused: none(registered), accepted: some(registered, run.traffic) };
}

const othersOf = (
  invented: Invented,
): readonly (readonly [what: string, of: (service: ServicePeer) => string])[] => [
  ['another host', () => `${invented.origin()}/api/resource`],
  ['another port', () => 'http://127.0.0.1:9/api/resource'],
  ['another scheme', ({ resource }) => resource.replace('http:', 'https:')],
];

export const wrongResource = agentScenario({
  id: 'agent-wrong-resource',
  title: 'The challenge leads to metadata of another resource',
  checks: {
    'other-origin': 'The agent uses no metadata whose `resource` is on another origin.',
    sibling:
      'The agent uses no metadata of /api/res for /api/resource: a prefix ends with a path segment.',
    'code-points': 'The agent compares `resource` by code points: %72 is not r.',
    escapes: 'The agent decodes JSON escapes (\\u002f) before it compares `resource`.',
    prefix: 'The agent accepts metadata whose `resource` is the origin of the requested URL.',
  },
  async run(judge, world) {
    for (const [what, of] of othersOf(world.invented)) {
      const { refused } = await runWith(world, (service) => ({
        resource: { resource: of(service) },
      }));
      judge.table(what, { 'other-origin': refused }, { case: what });
    }
    const resource = (of: (origin: string) => string) =>
      runWith(world, ({ origin }) => ({ resource: { resource: of(origin) } }));
    // Each is judged before the next run, which may end the scenario.
    const neighbour = await resource((origin) => `${origin}/api/res`);
    judge.table(neighbour.run, { sibling: neighbour.refused });
    const spelled = await resource((origin) => `${origin}/api/%72esource`);
    judge.table(spelled.run, { 'code-points': spelled.refused });
    const escaped = await runWith(world, (service) => ({
      resource: JSON.stringify(resourceDocument(service)).replaceAll('/', '\\u002f'),
    }));
    judge.table(escaped.run, { escapes: escaped.accepted });
    const base = await resource((origin) => origin);
    judge.table(base.run, { prefix: base.accepted }, { warn: true });
  },
});

export const wrongIssuer = agentScenario({
  id: 'agent-wrong-issuer',
  title: 'The server metadata is of another issuer',
  checks: {
    refused: 'The agent uses no server metadata whose `issuer` is not the expected one.',
    'final-slash':
      'The agent refuses an issuer that differs in the trailing slash, or shows it to its user.',
  },
  async run(judge, world) {
    const others = [
      ['another host', ({ places }: ServicePeer) => world.invented.origin() + places.issuer],
      ['another path', ({ origin }: ServicePeer) => `${origin}/${world.invented.word()}`],
      ['no issuer', () => undefined],
    ] as const;
    for (const [what, of] of others) {
      const { refused } = await runWith(world, (service) => ({ server: { issuer: of(service) } }));
      judge.table(what, { refused }, { case: what });
    }
    const slash = await runWith(world, (service) => ({
      server: { issuer: `${issuerOf(service)}/` },
    }));
    const isNamed = slash.run.output.includes(issuerOf(slash.service));
    judge.table(slash.run, {
      'final-slash': isNamed ? { ...slash.refused, ok: true } : slash.refused,
    });
  },
});

export const foreignEndpoints = agentScenario({
  id: 'agent-foreign-endpoints',
  title: 'Endpoints lie on another origin than their issuer',
  checks: {
    'not-posted':
      'The agent posts nothing to an endpoint on another origin unless its user allows it.',
    'claim-url': 'The agent posts nothing to a `claim_url` on another origin.',
  },
  async run(judge, world) {
    const otherServer = await world.otherServer();
    const places: readonly (readonly [name: string, at: DiscoveryDocuments])[] = [
      [
        'identity_endpoint',
        { agentAuth: { identity_endpoint: `${otherServer.origin}/agent/identity` } },
      ],
      ['token_endpoint', { server: { token_endpoint: `${otherServer.origin}/oauth2/token` } }],
      [
        'claim_endpoint',
        { agentAuth: { claim_endpoint: `${otherServer.origin}/agent/identity/claim` } },
      ],
    ];
    for (const [name, at] of places) {
      const { run } = await runWith(world, () => at);
      const posted = ofKind(run.traffic, 'identity', 'exchange', 'claim', 'poll', 'other').find(
        ({ to, method }) => to === otherServer.name && method === 'POST',
      );
      const row = without(posted, `POST ${posted?.url.pathname}`);
      judge.table(run, { 'not-posted': row }, { case: `${name} on another origin` });
    }
    const service = await world.service();
    const claimUrl = `${otherServer.origin}/agent/identity/claim`;
    service.on('identity', changeMembers({ claim_url: claimUrl }));
    const before = otherServer.requests().length;
    const run = await world.run('begin', { service });
    needTraffic(run);
    const posted = otherServer.requests().slice(before);
    judge.table(run, { 'claim-url': none(posted) });
  },
});
