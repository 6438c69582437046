import { describe, expect, it } from 'vitest';
import { absoluteUrl } from '../../src/cli/prompts/service.ts';
import { typedAgain } from '../../src/cli/shell/next-line.ts';
import { HttpClient } from '../../src/conformance/http/http-client.ts';
import { Recorder } from '../../src/conformance/http/recorder.ts';
import { systemClock } from '../../src/runtime/index.ts';
import {
  ANSWER,
  agentAuth,
  Bench,
  ENDPOINT,
  failure,
  resourceMetadata,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json } from './support/fake-web.ts';

/** Of this machine or its network, however it is spelled. */
const NEARER = [
  'https://0.0.0.0:9200',
  'https://[::]:9200',
  'https://[::ffff:127.0.0.1]:9200',
  'https://localhost.:9200',
  'https://127.0.0.1.:9200',
  'https://2130706433:9200',
  'https://10.0.0.5',
  'https://192.168.1.1',
  'https://169.254.169.254',
  'https://[fd00::1]',
];

describe('a service of the internet', () => {
  it.each(NEARER)('led the agent to this machine or its network: %s', async (near) => {
    const { agent, web } = new Bench();
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata({ authorization_servers: [near] })));
    const refused = await failure(agent.discover({ address: SERVICE }));
    expect([refused.code, refused.hint]).toEqual([
      'foreign_origin',
      expect.stringContaining(`--allow-origin ${new URL(near).origin}`),
    ]);
    expect(web.requests.every(({ url }) => url.startsWith(SERVICE))).toBe(true);
  });

  it.each(NEARER)('led the agent there by its skill file: %s', async (near) => {
    const { agent, web } = new Bench();
    const block = agentAuth({ skill: `${near}/auth.md` });
    web.on(ENDPOINT.serverMetadata, json(serverMetadata({ agent_auth: block })));
    expect((await failure(agent.skill({ address: SERVICE }))).code).toBe('foreign_origin');
    expect(web.requests.every(({ url }) => url.startsWith(SERVICE))).toBe(true);
  });

  it('leads there once its user allows that origin', async () => {
    const near = 'https://10.0.0.5';
    const { agent, web } = new Bench({ allowOrigins: [near] });
    web.on(ENDPOINT.resourceMetadata, json(resourceMetadata({ authorization_servers: [near] })));
    await failure(agent.discover({ address: SERVICE }));
    expect(web.requests.some(({ url }) => url.startsWith(near))).toBe(true);
  });

  it('led the suite there', async () => {
    const http = new HttpClient({
      ...{ peer: 'service', clock: systemClock, timeout: 1000 },
      target: `${SERVICE}/api`,
    });
    const send = http.send('http://127.0.0.1:4800/', {}, new Recorder(systemClock));
    await expect(send).rejects.toMatchObject({ kind: 'too_near' });
    await http.close();
  });
});

it('lost the origin that was allowed before from the line that allows another', () => {
  const argv = ['discover', SERVICE, '--allow-origin', 'https://a.example'];
  const world = { environment: { programName: 'agent-auth' } };
  const next = typedAgain({ argv, world }, '--allow-origin', 'ORIGIN');
  expect(next?.line).toBe(`agent-auth ${argv.join(' ')} --allow-origin ORIGIN`);
});

describe('a service of a compose network, by plain http', () => {
  const MOCK = 'http://mock:4800';
  const here = (document: object): Response =>
    json(JSON.parse(JSON.stringify(document).replaceAll(SERVICE, MOCK)));

  /** The service of the bench, by its name in that network. */
  function composed(allowOrigins: readonly string[]): Bench {
    const bench = new Bench({ allowOrigins });
    const at = (route: string) => route.replace(SERVICE, MOCK);
    bench.web.on(at(ENDPOINT.resourceMetadata), here(resourceMetadata()));
    bench.web.on(at(ENDPOINT.serverMetadata), here(serverMetadata()));
    bench.web.on(at(ENDPOINT.identity), here(ANSWER.anonymous()));
    bench.web.on(at(ENDPOINT.token), here(ANSWER.token()));
    bench.web.on(at(ENDPOINT.claim), here(ANSWER.attempt()));
    return bench;
  }

  it('could not be used at all: its origin is allowed, its pages too', async () => {
    const { agent } = composed([MOCK]);
    await agent.register({ service: MOCK, type: 'anonymous' });
    const claim = await agent.startClaim({ email: 'alice@example.com' });
    expect(claim).toMatchObject({ status: 'open', ceremony: { openable: true } });
  });

  it('is refused where nobody allowed it, and the program names the option', async () => {
    const { agent } = composed([]);
    expect((await failure(agent.discover({ address: MOCK }))).code).toBe('bad_address');
    expect(() => absoluteUrl(MOCK)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`--allow-origin ${MOCK}`) }),
    );
    expect(absoluteUrl(MOCK, undefined, { allowOrigin: [MOCK] })).toBe(MOCK);
  });
});
