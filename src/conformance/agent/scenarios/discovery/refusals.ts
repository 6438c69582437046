import type { Invented } from '../../../engine/invented.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { type AgentWorld, ofKind } from '../../agent-world.ts';
import type { ServicePeer } from '../../service-peer.ts';
import {
  type DiscoveryDocuments,
  issuerOf,
  publishDiscovery,
  resourceDocument,
} from '../../steps/publish-discovery.ts';
import { listed, needTraffic, registrations } from '../../steps/traffic.ts';

/** Runs the agent at a service with these documents; `ok` when it registered. */
async function registersWith(
  world: AgentWorld,
  options: (service: ServicePeer) => DiscoveryDocuments,
) {
  const service = await world.service();
  publishDiscovery(service, options(service));
  const run = await world.run('call', { service });
  needTraffic(run);
  const [registered] = registrations(run.traffic);
  return { service, run, ok: registered !== undefined, exchange: registered?.number };
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
  title: 'The metadata that a challenge leads to is of another resource',
  checks: {
    'other-origin': 'The agent uses no metadata whose `resource` is on another origin.',
    sibling: 'The agent uses no metadata of a neighbour: a prefix ends where a segment ends.',
    'code-points': 'The agent compares `resource` by code points, without normalising it.',
    escapes: 'The agent undoes JSON escapes before it compares.',
    prefix:
      'The agent takes metadata of a path prefix of the requested address, of the same origin.',
  },
  async run(judge, world) {
    for (const [what, of] of othersOf(world.invented)) {
      const { ok, exchange } = await registersWith(world, (service) => ({
        resource: { resource: of(service) },
      }));
      judge.expect('other-origin', !ok, 'It registered.', {
        expected: `no registration: \`resource\` is on ${what}`,
        exchange,
      });
    }
    const neighbour = await registersWith(world, ({ origin }) => ({
      resource: { resource: `${origin}/api/res` },
    }));
    judge.expect('sibling', !neighbour.ok, 'It registered.', { exchange: neighbour.exchange });
    const spelled = await registersWith(world, ({ origin }) => ({
      resource: { resource: `${origin}/api/%72esource` },
    }));
    judge.expect('code-points', !spelled.ok, 'It registered.', { exchange: spelled.exchange });
    const escaped = await registersWith(world, (service) => ({
      resource: JSON.stringify(resourceDocument(service)).replaceAll('/', '\\u002f'),
    }));
    judge.expect('escapes', escaped.ok, listed(escaped.run.traffic));
    const base = await registersWith(world, ({ origin }) => ({ resource: { resource: origin } }));
    judge.expect('prefix', base.ok, listed(base.run.traffic), { warn: true });
  },
});

export const wrongIssuer = agentScenario({
  id: 'agent-wrong-issuer',
  title: 'The metadata of the server is of another issuer',
  checks: {
    refused: 'The agent uses no server metadata whose `issuer` is not the one that it looked for.',
    'final-slash': 'The agent refuses a difference in the final slash, or names it to its user.',
  },
  async run(judge, world) {
    const others = [
      ['another host', ({ places }: ServicePeer) => world.invented.origin() + places.issuer],
      ['another path', ({ origin }: ServicePeer) => `${origin}/${world.invented.word()}`],
      ['none', () => undefined],
    ] as const;
    for (const [what, of] of others) {
      const { ok, exchange } = await registersWith(world, (service) => ({
        server: { issuer: of(service) },
      }));
      judge.expect('refused', !ok, 'It registered.', {
        expected: `no registration: \`issuer\` is ${what}`,
        exchange,
      });
    }
    const slash = await registersWith(world, (service) => ({
      server: { issuer: `${issuerOf(service)}/` },
    }));
    const isNamed = slash.run.output.includes(issuerOf(slash.service));
    judge.expect('final-slash', !slash.ok || isNamed, 'It registered and said nothing about it.', {
      exchange: slash.exchange,
    });
  },
});

export const foreignEndpoints = agentScenario({
  id: 'agent-foreign-endpoints',
  title: 'Endpoints lie on another origin than their issuer',
  checks: {
    'not-posted':
      'The agent posts nothing to an endpoint on another origin, unless its user allowed it.',
    'claim-url': 'The agent posts nothing to a `claim_url` of an answer that is on another origin.',
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
      const { service, run } = await registersWith(world, () => at);
      const posted = ofKind(run.traffic, 'identity', 'exchange', 'claim', 'poll', 'other').find(
        ({ to, method }) => to === otherServer.name && method === 'POST',
      );
      judge.expect('not-posted', posted === undefined, `POST ${posted?.url.pathname}`, {
        expected: `nothing posted to the ${name}, which is not on ${service.origin}`,
        exchange: posted?.number,
      });
    }
    const service = await world.service();
    service.on('identity', async (_ask, next) => {
      const reply = await next();
      if (!(reply instanceof Response) || !reply.ok) return reply;
      const body = (await reply.json()) as object;
      return Response.json({ ...body, claim_url: `${otherServer.origin}/agent/identity/claim` });
    });
    const before = otherServer.requests().length;
    const run = await world.run('begin', { service });
    needTraffic(run);
    const posted = otherServer.requests().slice(before);
    judge.expect('claim-url', posted.length === 0, listed(posted), {
      exchange: posted.at(0)?.number,
    });
  },
});
