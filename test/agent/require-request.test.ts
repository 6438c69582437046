import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.ts';
import { Bench, SERVICE } from './support/bench.ts';

describe('what a caller without types gives in place of a request', () => {
  it.each<[keyof Agent, unknown[], string]>([
    ['connect', [], 'connect takes an object: connect({ service: … }).'],
    ['connect', [{}], 'connect takes service as text.'],
    [
      'connect',
      [{ service: SERVICE, scopes: 'api' }],
      "connect takes scopes as a list: ['api.read'].",
    ],
    [
      'discover',
      [SERVICE],
      'discover takes an address, a resource or an issuer: discover({ address: … }).',
    ],
    ['skill', [{}], 'skill takes an address, a resource or an issuer: skill({ address: … }).'],
    ['startClaim', [{ email: 5 }], 'startClaim takes email as text.'],
    ['submitCode', [{ code: '1' }], "submitCode takes code as a Secret: new Secret('123456')."],
    ['token', [null], 'token takes an object: token({ service: … }).'],
    ['call', [], 'call takes a path or a URL as text.'],
    ['call', ['/x', { method: 5 }], 'call takes method as text.'],
    ['use', ['reg_1'], 'use takes an object: use({ registrationId: … }).'],
    ['revoke', [SERVICE], 'revoke takes an object: revoke({ service: … }).'],
    ['forget', ['reg_1'], 'forget takes an object: forget({ service: … }).'],
    ['forgetKept', [{ id: 5 }], 'forgetKept takes id as text.'],
    ['providerLogin', [{}], 'providerLogin takes provider as text.'],
    ['providerMint', [], 'providerMint takes an object: providerMint({ audience: … }).'],
    ['providerRevoke', [{}], 'providerRevoke takes audience as text.'],
  ])('was ignored, or told in words of our code: %s(%j)', async (method, given, message) => {
    const bench = new Bench();
    await bench.anonymous();
    const sent = bench.web.requests.length;
    const asked: Promise<unknown> = Reflect.apply(Agent.prototype[method], bench.agent, given);
    await expect(asked).rejects.toThrow(new TypeError(message));
    expect(bench.web.requests).toHaveLength(sent);
    expect((await bench.store.read()).services[0]?.registrations).toHaveLength(1);
  });
});
