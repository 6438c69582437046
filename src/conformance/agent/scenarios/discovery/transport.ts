import { agentScenario } from '../../agent-scenario.ts';
import {
  AUTHORIZATION_SERVER,
  issuerOf,
  publishDiscovery,
  resourceDocument,
} from '../../steps/publish-discovery.ts';
import { listed, needTraffic, registrations } from '../../steps/traffic.ts';

/** Where clouds answer their own machines. */
const INSIDE = 'http://169.254.169.254';

export const plainHttp = agentScenario({
  id: 'agent-plain-http',
  title: 'Discovery leads to plain http, inside a network, and to other schemes',
  checks: {
    refused: 'The agent follows plain http to no other machine.',
    inside: 'The agent follows metadata to no address inside its network.',
    schemes: 'The agent reads no metadata from a `file:` address.',
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
      const asked = elsewhere.requests().slice(before);
      judge.expect(check, asked.length === 0, listed(asked), {
        expected: `no request to ${origin}`,
        exchange: asked.at(0)?.number,
      });
    }
    const posting = publishDiscovery(await world.service(), {
      agentAuth: { identity_endpoint: `${plain}/agent/identity` },
    });
    const before = elsewhere.requests().length;
    await world.run('call', { service: posting });
    const posted = elsewhere.requests().slice(before);
    judge.expect('refused', posted.length === 0, listed(posted), {
      expected: `no request to the identity_endpoint at ${plain}`,
      exchange: posted.at(0)?.number,
    });

    const service = await world.service();
    const file = await world.harness.plant(
      `${invented.word()}.json`,
      JSON.stringify(resourceDocument(service)),
    );
    publishDiscovery(service, { metadata: file });
    const run = await world.run('call', { service });
    judge.expect('schemes', registrations(run.traffic).length === 0, 'It registered.', {
      expected: `no registration by the way of ${file.slice(0, 8)}…`,
      exchange: registrations(run.traffic).at(0)?.number,
    });
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
      judge.expect(
        'not-followed',
        otherServer.requests().length === 0,
        listed(otherServer.requests()),
        {
          exchange: otherServer.requests().at(0)?.number,
        },
      );
    }
  },
});

export const certificate = agentScenario({
  id: 'agent-certificate',
  title: 'A server shows a certificate that holds neither for its name nor by any authority',
  checks: {
    refused: 'The agent sends no request to a server whose certificate does not hold.',
  },
  async run(judge, world) {
    const otherServer = await world.otherServer('untrusted', { untrusted: true });
    const service = publishDiscovery(await world.service(), {
      resource: { authorization_servers: [otherServer.origin] },
    });
    needTraffic(await world.run('call', { service }));
    judge.expect('refused', otherServer.requests().length === 0, listed(otherServer.requests()), {
      exchange: otherServer.requests().at(0)?.number,
    });
  },
});

/** Deeper than any right document, and than a stack. */
const DEPTH = 100_000;

export const oddMetadata = agentScenario({
  id: 'agent-odd-metadata',
  title: 'Metadata holds what no metadata should',
  checks: {
    'wrong-types': 'The agent refuses known members of the wrong type.',
    prototype: 'The agent takes nothing from a member that is called `__proto__`.',
    signed: 'The agent takes nothing from `signed_metadata` that nobody it knows has signed.',
    survives: 'The agent ends by itself after deep, doubled and huge members.',
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
      const used = run.traffic.find(({ kind }) => kind === 'exchange');
      judge.expect('wrong-types', used === undefined, 'It went on to the token endpoint.', {
        expected: `nothing done with metadata whose ${what}`,
        exchange: used?.number,
      });
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
    judge.expect('prototype', evil.requests().length === 0, listed(evil.requests()), {
      exchange: evil.requests().at(0)?.number,
    });

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
    const asked = evil.requests().slice(before);
    judge.expect('signed', asked.length === 0, listed(asked), { exchange: asked.at(0)?.number });

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
      judge.expect(
        'survives',
        !run.killed && run.exitCode !== null,
        run.killed ? 'It had to be ended.' : 'A signal ended it.',
        { expected: `an end of its own after ${what} members` },
      );
    }
  },
});

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}
