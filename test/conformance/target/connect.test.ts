import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { connectProvider } from '../../../src/conformance/provider/provider-facts.ts';
import { connectService } from '../../../src/conformance/target/connect.ts';
import { TOKEN_EXCHANGE_GRANT } from '../../../src/protocol/index.ts';

const TARGET = 'https://target.example';
const PRM = '/.well-known/oauth-protected-resource';
const ASM = '/.well-known/oauth-authorization-server';

type Reply = readonly [
  status: number,
  body?: object,
  headers?: readonly (readonly [string, string])[],
];

/** Scripted addresses; what is not scripted is a 404. Keeps what was asked for. */
function web(replies: Readonly<Record<string, Reply | Error>>) {
  const asked: string[] = [];
  const get = async (url: string): Promise<Answer> => {
    asked.push(url);
    const reply = replies[url] ?? [404];
    if (reply instanceof Error) throw reply;
    const [status, body, headers = []] = reply;
    return new Answer(status, headers, body === undefined ? '' : JSON.stringify(body), 1, 0);
  };
  return { asked, get };
}

const naming = (url: string) =>
  [['www-authenticate', `Bearer resource_metadata="${url}"`]] as const;

const service = (over: object = {}) => ({
  issuer: TARGET,
  token_endpoint: `${TARGET}/token`,
  agent_auth: { identity_endpoint: `${TARGET}/identity` },
  ...over,
});

describe('what there is to judge of a service', () => {
  it('is found by the challenge of a protected address, a 401 and nothing else', async () => {
    const { asked, get } = web({
      [`${TARGET}/`]: [200, {}, naming(`${TARGET}/lure`)],
      [`${TARGET}/api/resource`]: [401, {}, naming(`${TARGET}/meta`)],
      [`${TARGET}/meta`]: [200, { authorization_servers: ['https://as.example'] }],
      [`https://as.example${ASM}`]: [200, service({ issuer: 'https://as.example' })],
    });
    const facts = await connectService(get, `${TARGET}/`, undefined);
    expect(facts).toMatchObject({
      resource: `${TARGET}/api/resource`,
      issuer: 'https://as.example',
    });
    expect(asked).not.toContain(`${TARGET}/lure`);
  });

  it('is no document of an answer that failed, nor one that did not come', async () => {
    const { get } = web({
      [`${TARGET}${PRM}`]: new NoAnswer('timeout', 'It did not answer.'),
      [`${TARGET}/tenant`]: [404],
      [`${TARGET}${ASM}/tenant`]: [500, service({ issuer: 'https://broken.example' })],
      [`${TARGET}${ASM}`]: [200, service()],
    });
    expect((await connectService(get, `${TARGET}/tenant`, undefined)).issuer).toBe(TARGET);
  });

  it('is not there at a provider, which is said', async () => {
    const provider = { issuer: TARGET, grant_types_supported: [TOKEN_EXCHANGE_GRANT] };
    const { get } = web({ [`${TARGET}${ASM}`]: [200, provider] });
    await expect(connectService(get, TARGET, undefined)).rejects.toMatchObject({
      kind: 'not_a_peer',
      message: expect.stringContaining('conformance provider'),
    });
    // One that is both can be judged as either.
    const both = web({ [`${TARGET}${ASM}`]: [200, service(provider)] });
    expect((await connectService(both.get, TARGET, undefined)).issuer).toBe(TARGET);
  });

  it('is not there where nothing answers, or something else does', async () => {
    const dead = web({ [TARGET]: new NoAnswer('refused', 'Nothing listens.') });
    await expect(connectService(dead.get, TARGET, undefined)).rejects.toMatchObject({
      kind: 'network',
      message: 'Nothing listens.',
    });
    const moved = web({ [TARGET]: [301, {}, [['location', 'https://new.example/']]] });
    await expect(connectService(moved.get, TARGET, undefined)).rejects.toMatchObject({
      kind: 'not_a_peer',
      message: expect.stringContaining('redirects to https://new.example/'),
    });
  });
});

describe('what there is to judge of a provider', () => {
  const provider = {
    issuer: TARGET,
    token_endpoint: `${TARGET}/token`,
    device_authorization_endpoint: 'device',
    grant_types_supported: [TOKEN_EXCHANGE_GRANT, 7],
  };

  it('is what its metadata says, without what is no address', async () => {
    const { get } = web({ [`${TARGET}${ASM}/tenant`]: [200, provider] });
    expect(await connectProvider(get, `${TARGET}/tenant/`)).toMatchObject({
      target: `${TARGET}/tenant`,
      issuer: TARGET,
      tokenEndpoint: `${TARGET}/token`,
      deviceEndpoint: undefined,
      grantTypes: [TOKEN_EXCHANGE_GRANT],
    });
  });

  it('may lie where OpenID Connect has it, and is no document of an answer that failed', async () => {
    const { get } = web({
      [`${TARGET}${ASM}`]: [503, { issuer: 'https://broken.example' }],
      [`${TARGET}/.well-known/openid-configuration`]: [200, provider],
    });
    expect((await connectProvider(get, TARGET)).issuer).toBe(TARGET);
  });

  it('is not there at a service, which is said', async () => {
    const { get } = web({ [`${TARGET}${ASM}`]: [200, service()] });
    await expect(connectProvider(get, TARGET)).rejects.toMatchObject({
      kind: 'not_a_peer',
      message: expect.stringContaining('conformance service'),
    });
    const both = web({ [`${TARGET}${ASM}`]: [200, service(provider)] });
    expect((await connectProvider(both.get, TARGET)).issuer).toBe(TARGET);
  });

  it('is not there where the first address does not answer', async () => {
    const { asked, get } = web({ [`${TARGET}${ASM}`]: new NoAnswer('refused', 'Nothing.') });
    await expect(connectProvider(get, TARGET)).rejects.toMatchObject({ kind: 'network' });
    expect(asked).toHaveLength(1);
  });
});
