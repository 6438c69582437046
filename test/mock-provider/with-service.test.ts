import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { createMockService } from '../../src/mock-service/index.ts';
import { ID_JAG_TOKEN_TYPE } from '../../src/protocol/index.ts';
import { SeededRandom, silentLog } from '../../src/runtime/index.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';

describe('both mocks in one database', () => {
  it('agree on an ID-JAG: what the one mints, the other takes, once', async () => {
    const db = await openDatabase();
    const harness = await Harness.start({ db });
    const service = await createMockService({
      baseUrl: SERVICE,
      clock: harness.clock,
      random: new SeededRandom(2),
      fetch: (url) => harness.provider.fetch(new Request(url)),
      log: silentLog,
      db,
      trust: [{ issuer: ISSUER }],
    });
    const { body } = await harness.mintWithConsent(await harness.signIn(), {
      resource: `${SERVICE}/api/resource`,
      scope: 'api.read api.write',
    });
    const register = async () => {
      const response = await service.fetch(
        new Request(`${SERVICE}/agent/identity`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            type: 'identity_assertion',
            assertion_type: ID_JAG_TOKEN_TYPE,
            assertion: body['access_token'],
          }),
        }),
      );
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const first = await register();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      registration_type: 'identity_assertion',
      scopes: ['api.read', 'api.write'],
    });
    expect((await register()).body['error']).toBe('replay_detected');
  });
});
