import { describe, expect, it } from 'vitest';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { connectService } from '../../../src/conformance/service/connect-service.ts';
import { whyNoResource } from '../../../src/conformance/service/service-client.ts';
import { TOKEN_EXCHANGE_GRANT } from '../../../src/protocol/index.ts';
import { ASM, naming, PRM, service, TARGET, web } from '../support/scripted-target.ts';

describe('what there is to judge of a service', () => {
  it('is found by the challenge of a protected URL, a 401 and nothing else', async () => {
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

  it('did not tell a path that was named and asks for no token from one that was not', async () => {
    const { get } = web({
      [`${TARGET}/nothere`]: [404],
      [`${TARGET}/api/resource`]: [200, {}],
      [`${TARGET}${ASM}`]: [200, service()],
    });
    const facts = await connectService(get, `${TARGET}/nothere`, undefined);
    expect(whyNoResource(facts)).toEqual({
      reason:
        `No protected URL is known: ${TARGET}/nothere answered 404 and ${TARGET}/api/resource ` +
        'answered 200 without a token, not 401. Name one with --resource.',
      needs: '--resource',
    });
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
