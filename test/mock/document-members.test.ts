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

  it('replace those that it writes itself, and take them away where they are null', async () => {
    const h = await Harness.start({
      metadata: {
        resource: { bearer_methods_supported: null, resource: 'https://other.example' },
        server: { authorization_endpoint: null, issuer: 'https://other.example', added: null },
        agent_auth: { claim_endpoint: null },
      },
    });
    const resource = (await h.send('GET', RESOURCE)).body;
    expect(resource['resource']).toBe('https://other.example');
    expect(resource).not.toHaveProperty('bearer_methods_supported');
    const { body } = await h.send('GET', SERVER);
    expect(body).toMatchObject({ issuer: 'https://other.example', added: null });
    expect(body).not.toHaveProperty('authorization_endpoint');
    expect(body['agent_auth']).not.toHaveProperty('claim_endpoint');
    const first = await Harness.start({
      quirks: ['in-resource-metadata'],
      metadata: { resource: { agent_auth: null } },
    });
    expect((await first.send('GET', RESOURCE)).body).not.toHaveProperty('agent_auth');
    const without = await Harness.start({ metadata: { server: { agent_auth: null } } });
    expect((await without.send('GET', SERVER)).body).not.toHaveProperty('agent_auth');
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

  it('replace its own, and take them away', async () => {
    const h = await ProviderHarness.start({
      metadata: { provider: { jwks_uri: null }, client: { client_id: 'other' } },
    });
    expect((await h.send('GET', SERVER)).body).not.toHaveProperty('jwks_uri');
    expect((await h.send('GET', '/agent-auth.json')).body['client_id']).toBe('other');
  });
});
