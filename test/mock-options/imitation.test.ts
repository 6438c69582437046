import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { throughConfig } from './doors.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The documents as the service publishes them: `fixtures/wild`. */
const wild = (name: string): Record<string, unknown> => JSON.parse(read(`fixtures/wild/${name}`));

/** What the mock says beside it: its configuration can add members, and take none away. */
const OF_THE_MOCK = {
  server: ['authorization_servers', 'bearer_methods_supported', 'resource', 'resource_name'],
  // Required by RFC 8414 §2; the imitated service leaves it out.
  required: ['response_types_supported'],
  agentAuth: ['events_endpoint', 'events_supported'],
};

it('imitates a published service by its configuration alone', async () => {
  const config = read('docs/examples/imitated-service.yaml')
    .replaceAll('http://127.0.0.1:4800', 'https://service.example.com')
    .replace('port: 4800', 'port: 0');
  await throughConfig({ of: 'service' }, 'service', config, async (mock) => {
    const server = await mock.json('/.well-known/oauth-authorization-server');
    const { agent_auth: published, ...members } = wild('as-agentcommunity.json');
    const { agent_auth: imitated, ...rest } = server;
    expect(rest).toEqual({
      ...pick(server, ...OF_THE_MOCK.server, ...OF_THE_MOCK.required),
      ...members,
    });
    expect(imitated).toEqual({
      ...pick(imitated as object, ...OF_THE_MOCK.agentAuth),
      ...(published as object),
    });
    expect(await mock.json('/.well-known/oauth-protected-resource/api')).toEqual(
      wild('prm-agentcommunity.json'),
    );
  });
});

function pick(object: object, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}
