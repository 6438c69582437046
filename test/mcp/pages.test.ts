import { afterEach, describe, expect, it, vi } from 'vitest';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { ALICE, Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { Host } from './support/host.ts';
import { startTwin } from './support/start-twin.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).reverse()) await one.close();
});

const ERAS = ['legacy', 'modern'] as const;

describe.each(ERAS)('the page of a claim, with a %s host', (era) => {
  it.each(DIALECT_IDS)('is shown by a host that can: %s', async (dialect) => {
    const { host, twin } = await startTwin({ era, pages: 'accept' }, dialect);
    const pending = await host.call('connect', { service: BASE, email: ALICE });
    const { claim, next } = pending.data;
    expect(pending.data.status).toBe('pending');
    if (claim.verification_uri === null) {
      // The code comes by mail: there is no page.
      expect(host.pages).toEqual([]);
      return;
    }
    expect(host.pages).toEqual([
      { url: claim.verification_uri, message: expect.stringContaining('service.test') },
    ]);
    expect(claim).toMatchObject({ shown_by_host: true, user_code: null });
    if (claim.kind !== 'type_there') return;
    const [, code = ''] = /Type this code there: ([\d ]+)/.exec(host.pages[0]?.message ?? '') ?? [];
    expect(pending.whole).not.toContain(code);
    await twin.typeCode(claim.verification_uri, code.replaceAll(' ', ''));
    expect((await host.call(next.tool, next.arguments)).data.status).toBe('claimed');
  });

  it.each(['decline', 'cancel'] as const)(
    'is described in words where the user says %s',
    async (pages) => {
      const { host } = await startTwin({ era, pages });
      const { data, text } = await host.call('connect', { service: BASE, email: ALICE });
      expect(host.pages).toHaveLength(1);
      expect(data).toMatchObject({ status: 'pending', claim: { shown_by_host: false } });
      expect(text).toContain(data.claim.verification_uri);
      expect(text).toContain(data.claim.user_code);
      expect(text.includes('declined')).toBe(pages === 'decline');
    },
  );

  it('is described in words where the host fails to show it, and nothing is lost', async () => {
    const { host } = await startTwin({ era, pages: 'fail' });
    const asked = host.call('connect', { service: BASE, email: ALICE });
    // A host of the revision 2026-07-28 that cannot do what it said ends its own call.
    const { data } =
      era === 'legacy' ? await asked : await asked.catch(() => host.call('get_status'));
    expect(host.pages).toHaveLength(1);
    if (era === 'legacy') expect(data.claim.user_code).toMatch(/\d/);
    expect(data.next).toEqual({ tool: 'await_claim', arguments: { service: BASE }, needs: [] });
  });

  it('is described in words to a host that shows none, and to one that shows forms alone', async () => {
    for (const capabilities of [{}, { elicitation: {} }, { elicitation: { form: {} } }]) {
      const { host } = await startTwin({ era, capabilities });
      const { data, text } = await host.call('connect', { service: BASE, email: ALICE });
      expect(text).toContain(`Link: ${data.claim.verification_uri}`);
      expect(text).toContain(`Code: ${data.claim.user_code}`);
      expect(data.claim).toMatchObject({ shown_by_host: false, page_is_of_service: true });
    }
  });

  it.each(['connect', 'register', 'start_claim'])('begins nothing twice: %s', async (tool) => {
    const { host, twin } = await startTwin({ era, pages: 'accept' });
    if (tool === 'start_claim') await host.call('register', { service: BASE });
    const before = twin.exchanges.length;
    await host.call(tool, {
      service: BASE,
      email: ALICE,
      ...(tool === 'register' && { new: true }),
      ...(tool === 'start_claim' && { renew: true }),
    });
    const posts = twin.exchanges
      .slice(before)
      .filter(({ request }) => request.startsWith('POST /agent/identity'));
    expect(host.pages).toHaveLength(1);
    expect(posts).toHaveLength(1);
  });

  it('is not offered where it is on another origin: the user is warned', async () => {
    const twin = await Twin.start({});
    const host = await Host.start(
      {
        ...twin.options,
        fetch: async (url, init) => {
          const response = await twin.options.fetch(url, init);
          if (!url.endsWith('/agent/identity')) return response;
          const text = (await response.text()).replace(`${BASE}/c/`, 'https://evil.example/c/');
          return new Response(text, { status: response.status, headers: response.headers });
        },
      },
      { era, pages: 'accept' },
    );
    open.push(twin, host);
    const { data, text } = await host.call('connect', { service: BASE, email: ALICE });
    expect(host.pages).toEqual([]);
    expect(data.claim.page_is_of_service).toBe(false);
    expect(text).toContain('Warning: that page is on evil.example, which is not the origin');
  });
});

describe('a host that comes back once more with the page of a call', () => {
  it.each([
    ['at once', 0],
    ['after an hour (it was a protocol error after ten minutes)', 3_600_000],
  ])('gets the same answer, and nothing is begun anew: %s', async (_when, later) => {
    const { host, twin } = await startTwin({ era: 'modern', pages: 'accept' });
    const { transport } = host;
    const sent: Parameters<typeof transport.send>[0][] = [];
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      sent.push(message);
      return send(message, options);
    };
    const first = await host.call('register', { service: BASE, email: ALICE, new: true });
    const before = twin.exchanges.length;
    const answered = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    const [last] = sent.slice(-1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
    expect(last).toMatchObject({ params: { name: 'register', inputResponses: expect.anything() } });
    await send({ ...last, id: 'again' } as typeof last & object);
    expect(await answered).toMatchObject({
      id: 'again',
      result: { structuredContent: first.data },
    });
    expect(twin.exchanges).toHaveLength(before);
  });
});
