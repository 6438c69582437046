import { gzipSync } from 'node:zlib';
import type { Judge } from '../../../engine/judge.ts';
import {
  type AgentWorld,
  agentScenario,
  ending,
  type OtherServer,
  ofKind,
} from '../../agent-world.ts';
import { withUnreadBody } from '../../peer.ts';
import { EndlessBody, MEGABYTE, TOO_LARGE } from '../../steps/odd-bodies.ts';
import {
  AUTHORIZATION_SERVER,
  issuerOf,
  resourceDocument,
  runAt,
} from '../../steps/publish-discovery.ts';
import { none } from '../../steps/rows.ts';
import { registrations } from '../../steps/traffic.ts';

/** Hosts that a careless reader takes for this machine: nothing of them is on it. */
const lookAlikes = (host: string): readonly string[] => [
  `http://127.0.0.1.${host}`,
  `http://localhost.${host}`,
  `http://127.0.0.1@${host}`,
];

export const plainHttp = agentScenario({
  id: 'agent-plain-http',
  title: 'Discovery leads to plain http on another host, and to other schemes',
  checks: {
    schemes: 'The agent reads no metadata from a `file:` or a `data:` URL.',
    refused: 'The agent sends no plain http request to another host.',
    'look-alike':
      'The agent takes no other host for this machine: not 127.0.0.1.HOST, not localhost.HOST, not 127.0.0.1@HOST.',
  },
  resting: { 'agent-plain-http.refused': ['look-alike'] },
  blockedBy: ['agent-call.registers'],
  async run(judge, world) {
    const { invented } = world;
    const texts = {
      'a file: URL': (text: string) => world.harness.plant(`${invented.word()}.json`, text),
      'a data: URL': async (text: string) => `data:application/json,${encodeURIComponent(text)}`,
    };
    for (const [what, publish] of Object.entries(texts)) {
      // What it names is named nowhere else: whoever asks it has read the URL.
      const named = await world.otherServer(`named-${invented.word()}`);
      await runAt(world, async (service) => {
        const document = { ...resourceDocument(service), authorization_servers: [named.origin] };
        return { metadata: await publish(JSON.stringify(document)) };
      });
      judge.table(what, { schemes: none(named.requests()) });
    }

    // That nothing came would show nothing, and what nobody leads here is not to be handed out.
    await world.controls.needSight();
    const elsewhere = await world.elsewhere();
    const plain = `http://${invented.host()}`;
    let seen = 0;
    const sinceLast = () => {
      const fresh = elsewhere.requests().slice(seen);
      seen = elsewhere.requests().length;
      return none(fresh);
    };
    const servers = (origin: string) => () => ({ resource: { authorization_servers: [origin] } });
    await runAt(world, () => ({ metadata: `${plain}/${invented.word()}.json` }));
    judge.table(elsewhere, { refused: sinceLast() }, { case: 'resource_metadata' });
    await runAt(world, servers(plain), { fetched: 'resource' });
    judge.table(elsewhere, { refused: sinceLast() }, { case: 'authorization_servers' });
    const agentAuth = { identity_endpoint: `${plain}/agent/identity` };
    await runAt(world, () => ({ agentAuth }), { fetched: 'server' });
    judge.table(elsewhere, { refused: sinceLast() }, { case: 'identity_endpoint' });
    for (const origin of lookAlikes(invented.host())) {
      await runAt(world, servers(origin), { fetched: 'resource' });
      judge.table(elsewhere, { 'look-alike': sinceLast() }, { case: origin });
    }
  },
});

export const redirectedMetadata = agentScenario({
  id: 'agent-redirected-metadata',
  title: 'Metadata is answered with a redirect to another server',
  checks: {
    'not-followed': 'The agent follows no redirect of metadata to another origin.',
  },
  blockedBy: ['agent-call.registers'],
  async run(judge, world) {
    for (const place of ['answer', 'serverAnswer'] as const) {
      const otherServer = await world.otherServer(`other-server-${place}`);
      const location = `${otherServer.origin}/${world.invented.word()}.json`;
      await runAt(
        world,
        () => ({ [place]: () => new Response(null, { status: 302, headers: { location } }) }),
        { fetched: place === 'answer' ? 'resource' : 'server' },
      );
      judge.table(location, { 'not-followed': none(otherServer.requests()) });
    }
  },
});

export const certificate = agentScenario({
  id: 'agent-certificate',
  title: 'A server has a self-signed certificate for another name',
  checks: {
    refused: 'The agent sends no request to a server whose certificate is not trusted.',
  },
  blockedBy: ['agent-call.registers'],
  async run(judge, world) {
    const otherServer = await world.otherServer('untrusted', { untrusted: true });
    const resource = { authorization_servers: [otherServer.origin] };
    await runAt(world, () => ({ resource }), { fetched: 'resource' });
    judge.table(otherServer, { refused: none(otherServer.requests()) });
  },
});

/** Deep enough to overflow the stack of a recursive reader. */
const DEPTH = 100_000;

export const oddMetadata = agentScenario({
  id: 'agent-odd-metadata',
  title: 'Metadata has malicious members',
  checks: {
    'wrong-types':
      'The agent does not exchange a token by metadata with members of the wrong type.',
    prototype: 'The agent uses nothing from a member named `__proto__`.',
    signed: 'The agent uses nothing from `signed_metadata` without a trusted signature.',
    survives: 'The agent survives deeply nested, duplicate and huge members.',
  },
  resting: { 'agent-wrong-issuer.refused': ['wrong-types'] },
  blockedBy: ['agent-call.exchanges'],
  async run(judge, world) {
    const wrong = [
      ['issuer is a list', { server: (issuer: string) => ({ issuer: [issuer] }) }],
      [
        'token_endpoint is a list',
        { server: (_: string, at: string) => ({ token_endpoint: [at] }) },
      ],
      ['token_endpoint is a number', { server: () => ({ token_endpoint: 7 }) }],
    ] as const;
    await world.eachBeside(wrong, async (beside, [what, { server }]) => {
      const { run } = await runAt(
        beside,
        (service) => ({ server: server(issuerOf(service), `${service.origin}/oauth2/token`) }),
        { fetched: 'server', until: 'exchange' },
      );
      judge.table(run, { 'wrong-types': none(ofKind(run.traffic, 'exchange')) }, { case: what });
    });

    const merged = await evilServer(world, 'evil-server');
    const servers = JSON.stringify([merged.origin]);
    await runAt(
      world,
      (service) => {
        const { authorization_servers: _own, ...rest } = resourceDocument(service);
        const text = JSON.stringify(rest).slice(0, -1);
        return { resource: `${text},"__proto__":{"authorization_servers":${servers}}}` };
      },
      { fetched: 'resource' },
    );
    judge.table(merged, { prototype: none(merged.requests()) });

    const named = await evilServer(world, 'other-evil-server');
    const claims = { iss: world.invented.origin(), authorization_servers: [named.origin] };
    const resource = { signed_metadata: unsigned(claims) };
    await runAt(world, () => ({ resource }), { fetched: 'resource' });
    judge.table(named, { signed: none(named.requests()) });

    const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
    const { invented } = world;
    const [one, two] = [invented.member(), invented.member()];
    const doubled = [invented.name(), invented.name()].map((name) => `"resource_name":"${name}"`);
    const members = [
      ['deep', `"${one}":${deep}`],
      ['doubled', doubled.join(',')],
      ['huge', `"${one}":1e999999,"${two}":${'9'.repeat(5000)}`],
    ] as const;
    await world.eachBeside(members, async (beside, [what, member]) => {
      const { run } = await runAt(
        beside,
        (service) => {
          const right = JSON.stringify(resourceDocument(service)).slice(0, -1);
          return { resource: `${right},${member}}` };
        },
        { fetched: 'resource' },
      );
      const ok = !run.killed && run.exitCode !== null;
      judge.expect('survives', ok, ending(run), { case: `${what} members` });
    });
  },
});

/** A server with right metadata of its own, which nobody is to ask. */
async function evilServer(world: AgentWorld, name: string): Promise<OtherServer> {
  const evil = await world.otherServer(name);
  const tools = await world.service({ name: `${name}-tools` });
  evil.on('server_metadata', async () => {
    const right = await tools.mock.fetch(new Request(tools.origin + AUTHORIZATION_SERVER));
    const text = (await right.text()).replaceAll(tools.origin, evil.origin);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  });
  return evil;
}

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

export const largeAnswers = agentScenario({
  id: 'agent-large-answers',
  title: 'Metadata is endless, decompresses to 64 MB, or never arrives',
  checks: {
    endless: 'The agent stops reading an answer before it has read 64 MB.',
    packed: 'The agent does not register by metadata that decompresses to 64 MB.',
    silent: 'The agent gives up on a server that never answers.',
  },
  blockedBy: ['agent-call.registers'],
  costly: true,
  waits: true,
  run(judge, world) {
    return world.eachBeside([endless, packed, silent], (beside, attempt) => attempt(judge, beside));
  },
});

type Attempt = (judge: Judge<'endless' | 'packed' | 'silent'>, world: AgentWorld) => Promise<void>;

const fetched = { fetched: 'resource' } as const;

const endless: Attempt = async (judge, world) => {
  const body = new EndlessBody();
  const { run } = await runAt(world, () => ({ answer: () => body.answer() }), fetched);
  judge.table(run, {
    endless: {
      ok: body.sent <= TOO_LARGE && !run.killed,
      seen: `It read ${Math.floor(body.sent / MEGABYTE)} MB.`,
    },
  });
};

const packed: Attempt = async (judge, world) => {
  const { run } = await runAt(
    world,
    (service) => ({
      answer: () => {
        const text = JSON.stringify(resourceDocument(service));
        const packed = gzipSync(text + ' '.repeat(TOO_LARGE), { level: 1 });
        return withUnreadBody(
          new Response(new Uint8Array(packed), {
            headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          }),
        );
      },
    }),
    fetched,
  );
  judge.table(run, { packed: none(registrations(run.traffic)) });
};

const silent: Attempt = async (judge, world) => {
  const { run } = await runAt(world, () => ({ answer: () => 'silence' }), fetched);
  judge.expect('silent', !run.killed, 'It still waited and had to be killed.');
};
