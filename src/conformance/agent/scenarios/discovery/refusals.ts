import type { Invented } from '../../../engine/invented.ts';
import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import type { AgentTask } from '../../agent-task.ts';
import { type AgentWorld, agentScenario, changeMembers } from '../../agent-world.ts';
import type { ControlStep } from '../../control-runs.ts';
import type { ServicePeer } from '../../service-peer.ts';
import {
  type DiscoveryDocuments,
  issuerOf,
  resourceDocument,
  runAt,
} from '../../steps/publish-discovery.ts';
import { none, some, without } from '../../steps/rows.ts';
import { need, registrations } from '../../steps/traffic.ts';

/** Runs the agent at a service with this document. Refused: the agent did not register. */
async function runWith(
  world: AgentWorld,
  fetched: 'resource' | 'server',
  documents: (service: ServicePeer) => DiscoveryDocuments,
) {
  const { service, run } = await runAt(world, documents, { fetched });
  const registered = registrations(run.traffic);
  return { service, run, refused: none(registered), accepted: some(registered, run.traffic) };
}

const othersOf = (
  invented: Invented,
): readonly (readonly [what: string, of: (service: ServicePeer) => string])[] => [
  ['another host', () => `${invented.origin()}/api/resource`],
  ['another port', () => 'http://127.0.0.1:9/api/resource'],
  ['another scheme', ({ resource }) => resource.replace('http:', 'https:')],
  ['a user name', ({ resource }) => resource.replace('//', `//${invented.word()}@`)],
  ['a longer host', ({ resource }) => resource.replace(/:\d+/, `.${invented.host()}$&`)],
  ['a shorter port', ({ resource }) => resource.replace(/\d\/api/, '/api')],
];

/** */
const TO_THE_LETTER =
  'RFC 9728 §3.3 to the letter wants the requested URL, though the specification shows one resource for all.';

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
  resting: { 'agent-wrong-resource.other-origin': ['sibling', 'code-points'] },
  blockedBy: ['agent-call.registers'],
  async run(judge, world) {
    await world.eachBeside(othersOf(world.invented), async (beside, [what, of]) => {
      const { refused } = await runWith(beside, 'resource', (service) => ({
        resource: { resource: of(service) },
      }));
      judge.table(what, { 'other-origin': refused }, { case: what });
    });
    const resource = (of: (origin: string) => string) =>
      runWith(world, 'resource', ({ origin }) => ({ resource: { resource: of(origin) } }));
    // Each is judged before the next run, which may end the scenario.
    const neighbour = await resource((origin) => `${origin}/api/res`);
    judge.table(neighbour.run, { sibling: neighbour.refused });
    const spelled = await resource((origin) => `${origin}/api/%72esource`);
    judge.table(spelled.run, { 'code-points': spelled.refused });
    const escaped = await runWith(world, 'resource', (service) => ({
      resource: JSON.stringify(resourceDocument(service)).replaceAll('/', '\\u002f'),
    }));
    judge.table(escaped.run, { escapes: escaped.accepted });
    const base = await resource((origin) => origin);
    judge.table(base.run, { prefix: base.accepted }, { reading: TO_THE_LETTER });
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
  resting: { 'agent-wrong-issuer.refused': ['final-slash'] },
  blockedBy: ['agent-call.registers'],
  async run(judge, world) {
    const { invented } = world;
    const others = [
      ['another host', ({ places }: ServicePeer) => invented.origin() + places.issuer],
      ['another path', ({ origin }: ServicePeer) => `${origin}/${invented.word()}`],
      ['no issuer', () => undefined],
      // What is compared as a text, as far as the shorter one goes, or by its host alone.
      ['a path below', (service: ServicePeer) => `${issuerOf(service)}/${invented.word()}`],
      ['a longer text', (service: ServicePeer) => issuerOf(service) + invented.word()],
      [
        'the host without its port',
        ({ origin, places }: ServicePeer) => portless(origin) + places.issuer,
      ],
      ['the host alone', ({ origin }: ServicePeer) => portless(origin)],
    ] as const;
    await world.eachBeside(others, async (beside, [what, of]) => {
      const { refused } = await runWith(beside, 'server', (service) => ({
        server: { issuer: of(service) },
      }));
      judge.table(what, { refused }, { case: what });
    });
    const slash = await runWith(world, 'server', (service) => ({
      server: { issuer: `${issuerOf(service)}/` },
    }));
    const isNamed = slash.run.output.includes(issuerOf(slash.service));
    judge.table(slash.run, {
      'final-slash': isNamed ? { ...slash.refused, ok: true } : slash.refused,
    });
  },
});

function portless(origin: string): string {
  return origin.replace(/:\d+$/, '');
}

interface Endpoint {
  readonly name: string;
  readonly path: string;
  /** The step that asks there. */
  readonly until: ControlStep;
  readonly task: AgentTask;
  readonly at: (url: string) => DiscoveryDocuments;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'identity_endpoint',
    path: '/agent/identity',
    until: 'registration',
    task: 'call',
    at: (url) => ({ agentAuth: { identity_endpoint: url } }),
  },
  {
    name: 'token_endpoint',
    path: '/oauth2/token',
    until: 'exchange',
    task: 'call',
    at: (url) => ({ server: { token_endpoint: url } }),
  },
  {
    name: 'claim_endpoint',
    path: '/agent/identity/claim',
    until: 'registration',
    task: 'begin',
    at: (url) => ({ agentAuth: { claim_endpoint: url } }),
  },
];

/** Whether the agent opens claim attempts at all. */
async function claims(world: AgentWorld): Promise<boolean> {
  try {
    await world.controls.need('begin', 'attempt');
    return true;
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof CannotTest) return false;
    throw error;
  }
}

export const foreignEndpoints = agentScenario({
  id: 'agent-foreign-endpoints',
  title: 'Endpoints lie on another origin than their issuer',
  checks: {
    'not-posted':
      'The agent posts nothing to an endpoint on another origin unless its user allows it.',
    'claim-url': 'The agent posts nothing to a `claim_url` on another origin.',
  },
  blockedBy: ['agent-call.registers', 'agent-claim.starts'],
  async run(judge, world) {
    for (const { name, path, until, task, at } of ENDPOINTS) {
      if (task === 'begin' && !(await claims(world))) continue;
      const otherServer = await world.otherServer(`other-server-${until}`);
      const documents = () => at(otherServer.origin + path);
      await runAt(world, documents, { fetched: 'server', until, task });
      const posted = otherServer.requests().find(({ method }) => method === 'POST');
      const row = without(posted, `POST ${posted?.url.pathname}`);
      judge.table(otherServer, { 'not-posted': row }, { case: `${name} on another origin` });
    }
    await world.controls.need('begin', 'attempt');
    await world.harness.forget();
    const otherServer = await world.otherServer();
    const service = await world.service();
    const claimUrl = `${otherServer.origin}/agent/identity/claim`;
    service.on('identity', changeMembers({ claim_url: claimUrl }));
    const run = await world.run('begin', { service });
    need(registrations(run.traffic)[0], 'The agent did not register', run);
    judge.table(run, { 'claim-url': none(otherServer.requests()) });
  },
});
