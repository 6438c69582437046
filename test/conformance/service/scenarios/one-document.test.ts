import { describe, expect, it } from 'vitest';
import { Catalog, judgeService, readRequirements } from '../../../../src/conformance/index.ts';
import { resourceMetadata } from '../../../../src/conformance/service/scenarios/discovery/challenge.ts';
import { serverMetadata } from '../../../../src/conformance/service/scenarios/discovery/server-metadata.ts';
import { systemClock, systemRandom, systemSleep } from '../../../../src/runtime/index.ts';
import { json, listen } from '../../services/support.ts';
import { withStatus } from '../../support/failing-checks.ts';

describe('one document that is the metadata of resource and server', () => {
  it.each([
    ['response_types_supported', []],
    ['bearer_methods_supported', []],
    ['ui_locales_supported', ['resource-metadata', 'server-metadata']],
  ])('with %s empty is accused by %j alone', async (member, accusers) => {
    const service = await listen(async (origin) => {
      const document = async () => json(200, { ...whole(origin), [member]: [] });
      return {
        '/.well-known/oauth-protected-resource': { GET: document },
        '/.well-known/oauth-authorization-server': { GET: document },
      };
    });
    try {
      const results = await judgeService({
        ...{ clock: systemClock, random: systemRandom, sleep: systemSleep },
        catalog: new Catalog(readRequirements()),
        target: service.origin,
        timeout: 30_000,
        scenarios: [resourceMetadata, serverMetadata],
      });
      const failed = withStatus(results, ['fail']).map(({ id }) => id);
      expect(failed.filter((id) => /no-empty-members|response-types$/.test(id))).toEqual(
        accusers.map((each) => `${each}.no-empty-members`),
      );
      const passed = withStatus(results, ['pass']).map(({ id }) => id);
      expect(passed).toContain('server-metadata.response-types');
    } finally {
      await service.close();
    }
  });
});

const whole = (origin: string) => ({
  resource: origin,
  authorization_servers: [origin],
  issuer: origin,
  token_endpoint: `${origin}/oauth2/token`,
  response_types_supported: [],
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  agent_auth: { identity_endpoint: `${origin}/agent/identity` },
});
