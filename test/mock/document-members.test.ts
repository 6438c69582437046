import { describe, expect, it } from 'vitest';
import { Harness as ProviderHarness } from '../mock-provider/harness.ts';
import { Harness } from '../mock-service/harness.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

describe('members that are added to the documents of a service', () => {
  it('stand beside its own, each in its document', async () => {
    const bare = await Harness.start();
    const h = await Harness.start({
      metadata: {
        resource: { resource_documentation: 'https://api.example/docs' },
        server: { service_documentation: 'https://id.example/docs', ui_locales_supported: ['en'] },
        agent_auth: { claim_grant_type: 'urn:other', limits: { calls: 3, burst: null } },
      },
    });
    for (const path of [
      RESOURCE,
      `${RESOURCE}/api/resource`,
      `${RESOURCE}/v2/buildings/list.json`,
    ]) {
      const { body } = await h.send('GET', path);
      expect(body).toEqual({
        ...(await bare.send('GET', path)).body,
        resource_documentation: 'https://api.example/docs',
      });
    }
    const before = (await bare.send('GET', SERVER)).body;
    expect((await h.send('GET', SERVER)).body).toEqual({
      ...before,
      service_documentation: 'https://id.example/docs',
      ui_locales_supported: ['en'],
      agent_auth: {
        ...(before['agent_auth'] as object),
        claim_grant_type: 'urn:other',
        limits: { calls: 3, burst: null },
      },
    });
  });

  it('are none that it writes itself, also while that is switched off', async () => {
    const { body } = await (await Harness.start()).send('GET', SERVER);
    const resource = (await (await Harness.start()).send('GET', RESOURCE)).body;
    for (const [document, own] of [
      ['resource', resource],
      ['server', body],
      ['agent_auth', body['agent_auth']],
    ] as const) {
      const names = Object.keys(own as object);
      expect(names.length).toBeGreaterThan(4);
      for (const name of names) {
        await expect(
          Harness.start({
            identityTypes: ['anonymous'],
            metadata: { [document]: { [name]: 'other' } },
          }),
        ).rejects.toThrow(`metadata.${document}.${name}: the mock writes this member itself.`);
      }
    }
  });

  it.each([
    ['__proto__', 1, 'no member can have this name'],
    ['constructor', 1, 'no member can have this name'],
    ['toString', 1, 'no member can have this name'],
    ['', 1, 'no member can have this name'],
    ['when', new Date(0), 'its value is not JSON'],
    ['many', [Number.NaN], 'its value is not JSON'],
    ['none', undefined, 'its value is not JSON'],
    ['run', () => 1, 'its value is not JSON'],
  ])('are no “%s” with %s', async (name, value, problem) => {
    const server = Object.fromEntries([[name, value]]);
    await expect(Harness.start({ metadata: { server } })).rejects.toThrow(
      `metadata.server.${name}: ${problem}.`,
    );
  });

  it('belong to a document that there is', async () => {
    const metadata = { provider: { policy: 1 } } as object;
    await expect(Harness.start({ metadata })).rejects.toThrow(
      'metadata.provider: there is no such document. Known: resource, server, agent_auth.',
    );
  });
});

describe('members that are added to the documents of a provider', () => {
  it('stand in its metadata at both paths, and in its client document', async () => {
    const h = await ProviderHarness.start({
      metadata: { provider: { op_policy_uri: 'https://id.example' }, client: { contacts: ['a'] } },
    });
    for (const path of [SERVER, '/.well-known/openid-configuration']) {
      const { body } = await h.send('GET', path);
      expect(body).toMatchObject({
        op_policy_uri: 'https://id.example',
        subject_types_supported: ['public'],
      });
    }
    const { body } = await h.send('GET', '/agent-auth.json');
    expect(body).toMatchObject({ contacts: ['a'], client_name: 'agent-auth' });
  });

  it('are none that it writes itself', async () => {
    for (const metadata of [
      { provider: { id_token_signing_alg_values_supported: ['RS256'] } },
      { client: { client_id: 'other' } },
    ]) {
      await expect(ProviderHarness.start({ metadata })).rejects.toThrow(
        'the mock writes this member itself',
      );
    }
  });
});
