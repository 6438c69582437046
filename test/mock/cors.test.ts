import { describe, expect, it } from 'vitest';
import { Harness as ProviderHarness } from '../mock-provider/harness.ts';
import { Harness } from '../mock-service/harness.ts';

const APP = 'https://app.example';
const TOKEN = 'a token for the controls';
const PREFLIGHT = { origin: APP, 'access-control-request-method': 'POST' };

const service = (cors: readonly string[]) => Harness.start({ cors, control: { token: TOKEN } });
const provider = (cors: readonly string[]) =>
  ProviderHarness.start({ cors, control: { token: TOKEN } });

/** Whether a page of another origin may call a path, as its browser finds out. */
async function allows(mock: Pick<Harness, 'send'>, path: string): Promise<boolean> {
  const { headers, status } = await mock.send('OPTIONS', path, { headers: PREFLIGHT });
  return status === 204 && headers.get('access-control-allow-origin') === APP;
}

describe('clients in browsers', () => {
  it.each([
    ['/.well-known/oauth-protected-resource'],
    ['/.well-known/oauth-protected-resource/api/resource'],
    ['/.well-known/oauth-protected-resource/v2/libraries'],
    ['/.well-known/oauth-authorization-server'],
    ['/.well-known/jwks.json'],
    ['/auth.md'],
    ['/agent/identity'],
    ['/agent/identity/claim'],
    ['/oauth2/token'],
    ['/oauth2/revoke'],
    ['/api/resource'],
    ['/api/resource/below'],
    ['/api/services.json'],
    ['/v2/api/services.xml'],
  ])('may call %s of a service', async (path) => {
    expect(await allows(await service([APP]), path)).toBe(true);
    expect(await allows(await service([]), path)).toBe(false);
  });

  it.each([
    ['/login'],
    ['/logout'],
    ['/claim'],
    ['/c/cat_1'],
    ['/agent/identity/claim/complete'],
    ['/connections'],
    ['/connections/review'],
    ['/agent/event/notify'],
    ['/__mock'],
    ['/__mock/faults'],
  ])('may not call %s', async (path) => {
    expect(await allows(await service([APP]), path)).toBe(false);
    const { headers } = await (await service(['*'])).send('GET', path, {
      headers: { origin: APP },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['/.well-known/oauth-authorization-server'],
    ['/.well-known/openid-configuration'],
    ['/.well-known/jwks.json'],
    ['/agent-auth.json'],
    ['/oauth2/device_authorization'],
    ['/oauth2/token'],
    ['/oauth2/userinfo'],
    ['/oauth2/consents/revoke'],
  ])('may call %s of a provider', async (path) => {
    expect(await allows(await provider([APP]), path)).toBe(true);
    expect(await allows(await provider([]), path)).toBe(false);
  });

  it.each([['/'], ['/login'], ['/device'], ['/consent'], ['/consents'], ['/__mock/outbox']])(
    'may not call %s of a provider',
    async (path) => {
      expect(await allows(await provider([APP]), path)).toBe(false);
    },
  );

  it('read the challenge of a protected resource', async () => {
    const { headers, status } = await (await service([APP])).send('GET', '/api/resource', {
      headers: { origin: APP },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, APP]);
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  it('are of no origin that no browser sends', async () => {
    for (const start of [service, provider]) {
      await expect(start('http://app.example' as never)).rejects.toThrow(
        'cors cannot be "http://app.example". Use a list of origins.',
      );
      await expect(start(['app.example'])).rejects.toThrow('cors: "app.example" is not an origin.');
    }
  });
});
