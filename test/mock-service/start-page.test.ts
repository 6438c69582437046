import { describe, expect, it } from 'vitest';
import type { DialectId, QuirkName } from '../../src/mock-service/index.ts';
import { BASE, Harness } from './harness.ts';

const SPOKEN: readonly (readonly [dialect: DialectId, quirks: readonly QuirkName[]])[] = [
  ['flat', []],
  ['flat', ['mailed-code']],
  ['nested', []],
  ['first', []],
];

async function endpointsOf(h: Harness): Promise<Record<string, string>> {
  const { body } = await h.send('GET', '/', { headers: { accept: 'application/json' } });
  return body['endpoints'] as Record<string, string>;
}

describe.each(SPOKEN)('the start page in %s with %j', (dialect, quirks) => {
  it('names no endpoint that nobody answers at', async () => {
    const h = await Harness.start({ dialect, quirks });
    for (const [name, url] of Object.entries(await endpointsOf(h))) {
      const path = url.slice(BASE.length);
      const statuses = [await h.send('GET', path), await h.send('POST', path)];
      const missing = statuses.filter(({ status }) => status === 404);
      if (name === 'openapi' && dialect !== 'flat') {
        // The document is of flat: elsewhere its URL says where to look.
        expect(missing[0]?.body['message']).toContain(`${BASE}/auth.md`);
      } else expect(missing, name).toEqual([]);
    }
  });

  it('names every endpoint of the metadata', async () => {
    const h = await Harness.start({ dialect, quirks });
    const named = Object.values(await endpointsOf(h));
    const { body } = await h.send('GET', '/.well-known/oauth-authorization-server');
    const { agent_auth: block, ...server } = body as { agent_auth: Record<string, unknown> };
    const published = Object.entries({ ...server, ...block }).filter(([name]) =>
      /(?:_endpoint|_uri)$/.test(name),
    );
    expect(published.length).toBeGreaterThan(2);
    for (const [name, url] of published) expect(named, name).toContain(url);
  });
});

it('says where the code goes, and where a mail is read', async () => {
  const nested = await endpointsOf(await Harness.start({ dialect: 'nested' }));
  expect(nested['claim_complete']).toBe(`${BASE}/agent/identity/claim/complete`);
  const first = await Harness.start({ dialect: 'first' });
  const named = await endpointsOf(first);
  expect(named).not.toHaveProperty('token');
  expect(named).not.toHaveProperty('revocation');
  const page = await first.service.fetch(
    new Request(`${BASE}/`, { headers: { accept: 'text/html' } }),
  );
  expect(await page.text()).toContain('href="/mails"');
});
