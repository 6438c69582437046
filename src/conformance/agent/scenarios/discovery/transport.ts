import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind } from '../../agent-world.ts';
import {
  AUTHORIZATION_SERVER,
  issuerOf,
  publishDiscovery,
  resourceDocument,
} from '../../steps/publish-discovery.ts';
import { none } from '../../steps/rows.ts';
import { needTraffic, registrations } from '../../steps/traffic.ts';

/** The metadata service of clouds, reachable from inside only. */
const INSIDE = 'http://169.254.169.254';

export const plainHttp = agentScenario({
  id: 'agent-plain-http',
  title: 'Discovery leads to plain http, to an internal address, and to other schemes',
  checks: {
    refused: 'The agent sends no plain http request to another host.',
    inside: 'The agent sends no request to a link-local address (169.254.169.254).',
    schemes: 'The agent reads no metadata from a `file:` URL.',
  },
  async run(judge, world) {
    const elsewhere = await world.elsewhere();
    const { invented } = world;
    const plain = `http://${invented.host()}`;
    for (const [check, origin] of [
      ['refused', plain],
      ['inside', INSIDE],
    ] as const) {
      const before = elsewhere.requests().length;
      const byChallenge = publishDiscovery(await world.service(), {
        metadata: `${origin}/${invented.word()}.json`,
      });
      needTraffic(await world.run('call', { service: byChallenge }));
      const byResource = publishDiscovery(await world.service(), {
        resource: { authorization_servers: [origin] },
      });
      await world.run('call', { service: byResource });
      judge.table(elsewhere, { [check]: none(elsewhere.requests().slice(before)) });
    }
    const posting = publishDiscovery(await world.service(), {
      agentAuth: { identity_endpoint: `${plain}/agent/identity` },
    });
    const before = elsewhere.requests().length;
    await world.run('call', { service: posting });
    const posted = none(elsewhere.requests().slice(before));
    judge.table(elsewhere, { refused: posted }, { case: 'identity_endpoint' });

    const service = await world.service();
    const file = await world.harness.plant(
      `${invented.word()}.json`,
      JSON.stringify(resourceDocument(service)),
    );
    publishDiscovery(service, { metadata: file });
    const run = await world.run('call', { service });
    judge.table(run, { schemes: none(registrations(run.traffic)) });
  },
});

export const redirectedMetadata = agentScenario({
  id: 'agent-redirected-metadata',
  title: 'Metadata is answered with a redirect to another server',
  checks: {
    'not-followed': 'The agent follows no redirect of metadata to another origin.',
  },
  async run(judge, world) {
    for (const place of ['answer', 'serverAnswer'] as const) {
      const otherServer = await world.otherServer(`other-server-${place}`);
      const location = `${otherServer.origin}/${world.invented.word()}.json`;
      const service = publishDiscovery(await world.service(), {
        [place]: () => new Response(null, { status: 302, headers: { location } }),
      });
      needTraffic(await world.run('call', { service }));
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
  async run(judge, world) {
    const otherServer = await world.otherServer('untrusted', { untrusted: true });
    const service = publishDiscovery(await world.service(), {
      resource: { authorization_servers: [otherServer.origin] },
    });
    needTraffic(await world.run('call', { service }));
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
  async run(judge, world) {
    const wrong = [
      ['issuer is a list', { server: (issuer: string) => ({ issuer: [issuer] }) }],
      [
        'token_endpoint is a list',
        { server: (_: string, at: string) => ({ token_endpoint: [at] }) },
      ],
      ['token_endpoint is a number', { server: () => ({ token_endpoint: 7 }) }],
    ] as const;
    for (const [what, { server }] of wrong) {
      const service = await world.service();
      publishDiscovery(service, {
        server: server(issuerOf(service), `${service.origin}/oauth2/token`),
      });
      const run = await world.run('call', { service });
      needTraffic(run);
      judge.table(run, { 'wrong-types': none(ofKind(run.traffic, 'exchange')) }, { case: what });
    }

    const evil = await world.otherServer('evil-server');
    evil.on('server_metadata', async () => {
      const { origin } = evil;
      const right = await tools.mock.fetch(new Request(tools.origin + AUTHORIZATION_SERVER));
      const text = (await right.text()).replaceAll(tools.origin, origin);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    });
    const tools = await world.service({ name: 'unused' });
    const servers = JSON.stringify([evil.origin]);
    const service = await world.service();
    const { authorization_servers: _own, ...rest } = resourceDocument(service);
    const text = JSON.stringify(rest);
    publishDiscovery(service, {
      resource: `${text.slice(0, -1)},"__proto__":{"authorization_servers":${servers}}}`,
    });
    needTraffic(await world.run('call', { service }));
    judge.table(evil, { prototype: none(evil.requests()) });

    const signed = publishDiscovery(await world.service(), {
      resource: {
        signed_metadata: unsigned({
          iss: world.invented.origin(),
          authorization_servers: [evil.origin],
        }),
      },
    });
    const before = evil.requests().length;
    await world.run('call', { service: signed });
    judge.table(evil, { signed: none(evil.requests().slice(before)) });

    const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
    const { invented } = world;
    const [one, two] = [invented.member(), invented.member()];
    const doubled = [invented.name(), invented.name()].map((name) => `"resource_name":"${name}"`);
    for (const [what, member] of [
      ['deep', `"${one}":${deep}`],
      ['doubled', doubled.join(',')],
      ['huge', `"${one}":1e999999,"${two}":${'9'.repeat(5000)}`],
    ] as const) {
      const odd = await world.service();
      const right = JSON.stringify(resourceDocument(odd));
      publishDiscovery(odd, { resource: `${right.slice(0, -1)},${member}}` });
      const run = await world.run('call', { service: odd });
      const ok = !run.killed && run.exitCode !== null;
      judge.expect('survives', ok, ending(run), { case: `${what} members` });
    }
  },
});

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}
