import { describe, expect, it } from 'vitest';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { connectProvider } from '../../../src/conformance/provider/provider-facts.ts';
import { TOKEN_EXCHANGE_GRANT } from '../../../src/protocol/index.ts';
import { ASM, service, TARGET, web } from '../support/scripted-target.ts';

describe('what there is to judge of a provider', () => {
  const provider = {
    issuer: TARGET,
    token_endpoint: `${TARGET}/token`,
    device_authorization_endpoint: 'device',
    grant_types_supported: [TOKEN_EXCHANGE_GRANT, 7],
  };

  it('is read from its metadata, without invalid URLs', async () => {
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

  it('is missing at a service, with an error that says so', async () => {
    const { get } = web({ [`${TARGET}${ASM}`]: [200, service()] });
    await expect(connectProvider(get, TARGET)).rejects.toMatchObject({
      kind: 'not_a_peer',
      message: expect.stringContaining('conformance service'),
    });
    const both = web({ [`${TARGET}${ASM}`]: [200, service(provider)] });
    expect((await connectProvider(both.get, TARGET)).issuer).toBe(TARGET);
  });

  it('is missing where the first URL does not answer', async () => {
    const { asked, get } = web({ [`${TARGET}${ASM}`]: new NoAnswer('refused', 'Nothing.') });
    await expect(connectProvider(get, TARGET)).rejects.toMatchObject({ kind: 'network' });
    expect(asked).toHaveLength(1);
  });
});
