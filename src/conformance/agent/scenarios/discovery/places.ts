import type { Invented } from '../../../engine/invented.ts';
import { agentScenario, ofKind } from '../../agent-world.ts';
import { mustCall } from '../../steps/ended-access.ts';
import {
  AUTHORIZATION_SERVER,
  issuerOf,
  publishDiscovery,
  resourceDocument,
} from '../../steps/publish-discovery.ts';
import { some } from '../../steps/rows.ts';
import { needTraffic, registrations } from '../../steps/traffic.ts';

type Spelling = readonly [what: string, lines: (metadata: string) => string[]];

const BARE = 'not quoted';
const NOT_BARE = 'RFC 9110 §11.2 has a URL quoted; the specification writes it without quotes.';

/** Spellings of a challenge (RFC 9110 §11.6.1). */
const spellings = (invented: Invented): readonly Spelling[] => [
  ['quoted', (at) => [`Bearer resource_metadata="${at}"`]],
  [BARE, (at) => [`Bearer resource_metadata=${at}`]],
  [
    'after other parameters',
    (at) => [
      `bearer realm="${invented.word()}, b=\\"${invented.word()}\\"", resource_metadata="${at}"`,
    ],
  ],
  [
    'after another challenge',
    (at) => [`AgentAuth error="${invented.word()}", Bearer resource_metadata="${at}"`],
  ],
  [
    'after an unknown scheme',
    (at) => [`${invented.capitals()} dG9rZW42OA==, Bearer resource_metadata="${at}"`],
  ],
  [
    'on a line of its own',
    (at) => [`Basic realm="${invented.word()}"`, `Bearer resource_metadata="${at}"`],
  ],
];

export const challenges = agentScenario({
  id: 'agent-challenges',
  title: 'A resource names its metadata in differently spelled challenges',
  checks: {
    read: 'The agent finds `resource_metadata` quoted or not, and among challenges of other schemes.',
  },
  resting: { 'agent-call.two-hops': ['read'] },
  blockedBy: ['agent-call.two-hops'],
  run(judge, world) {
    const cases = spellings(world.invented);
    return world.eachBeside(cases, async (beside, [what, challenge]) => {
      const service = await beside.service();
      service.move('origin');
      publishDiscovery(service, { challenge });
      const run = await beside.run('call', { service });
      needTraffic(run);
      const rows = { read: some(registrations(run.traffic), run.traffic) };
      const reading = what === BARE ? NOT_BARE : undefined;
      judge.table(run, rows, { case: `a challenge ${what}`, reading });
    });
  },
});

export const issuerPath = agentScenario({
  id: 'agent-issuer-path',
  title: 'The issuer of a service has a path',
  checks: {
    inserted:
      'The agent fetches server metadata with the well-known path inserted before the path of the issuer.',
  },
  blockedBy: ['agent-call.two-hops'],
  async run(judge, world) {
    await world.controls.need('discovery at origin', 'registration');
    const service = publishDiscovery(await world.service());
    const run = await world.run('call', { service });
    needTraffic(run);
    const asked = ofKind(run.traffic, 'server_metadata');
    const path = new URL(issuerOf(service)).pathname;
    const inserted = asked.filter(({ url }) => url.pathname === AUTHORIZATION_SERVER + path);
    judge.table(run, {
      inserted: some(inserted, asked),
    });
  },
});

export const newMetadata = agentScenario({
  id: 'agent-new-metadata',
  title: 'A later challenge names other metadata than the first',
  checks: {
    fetched: 'The agent fetches the metadata that the later challenge names.',
  },
  blockedBy: ['agent-call.calls'],
  async run(judge, world) {
    const service = await world.service();
    await mustCall(world, service);
    const place = `${service.origin}/${world.invented.word()}.json`;
    const challenge = `Bearer error="invalid_token", resource_metadata="${place}"`;
    let refused = 0;
    service.on('resource', async (_ask, next) => {
      refused += 1;
      if (refused > 1) return next();
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    });
    service.on('other', async ({ url }, next) =>
      url.href === place
        ? Response.json({
            ...resourceDocument(service),
            authorization_servers: [service.origin],
          })
        : next(),
    );
    const run = await world.run('call', { service });
    needTraffic(run);
    const fetched = run.traffic.filter(({ url }) => url.href === place);
    judge.table(run, { fetched: some(fetched, run.traffic) });
  },
});
