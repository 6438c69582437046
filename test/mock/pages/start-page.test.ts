import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { ISSUER, Harness as ProviderHarness } from '../../mock-provider/harness.ts';
import { BASE, Harness as ServiceHarness } from '../../mock-service/harness.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const CURL = '*/*';

interface Mock {
  readonly issuer: string;
  fetch(request: Request): Promise<Response>;
}

const MOCKS: [what: string, start: () => Promise<Mock>, issuer: string][] = [
  ['mock service', async () => (await ServiceHarness.start()).service, BASE],
  ['mock provider', async () => (await ProviderHarness.start()).provider, ISSUER],
];

function get(mock: Mock, path: string, accept?: string, method = 'GET'): Promise<Response> {
  const headers = accept === undefined ? {} : { accept };
  return mock.fetch(new Request(mock.issuer + path, { method, headers }));
}

describe.each(MOCKS)('/ of a %s', (kind, start, issuer) => {
  it.each([undefined, CURL, 'application/json', 'text/html;q=0, */*'])(
    'tells a program that accepts %s what it is and where its documents are',
    async (accept) => {
      const mock = await start();
      const response = await get(mock, '/', accept);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('vary')).toBe('Accept');
      const body = (await response.json()) as { endpoints: Record<string, string> };
      expect(body).toMatchObject({ kind, issuer });
      const { authorization_server_metadata: metadata = '' } = body.endpoints;
      expect(await (await mock.fetch(new Request(metadata))).json()).toMatchObject({ issuer });
    },
  );

  it('shows a browser a page whose links and endpoints all exist', async () => {
    const mock = await start();
    const response = await get(mock, '/', BROWSER);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const document = parse(await response.text());
    const links = document.querySelectorAll('a').map((each) => each.getAttribute('href') ?? '');
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      const { status } = await get(mock, link);
      // It is there to say that nobody signs in, or that the request is incomplete.
      expect(link === '/oauth2/authorize' ? [400] : [200, 303, 401]).toContain(status);
    }
    const posts = document.querySelectorAll('li code').map(({ text }) => text.split(' '));
    for (const [method = '', path = ''] of posts.filter(([each]) => each === 'POST')) {
      const { status } = await get(mock, path, CURL, method);
      expect([400, 401, 415]).toContain(status);
    }
  });

  it('shows lines to paste, with its own issuer', async () => {
    const text = await (await get(await start(), '/', BROWSER)).text();
    const lines = [...text.matchAll(/<pre><code>(.*?)<\/code><\/pre>/g)].map(
      ([, line = '']) => line,
    );
    expect(lines.some((line) => line.startsWith('agent-auth '))).toBe(true);
    expect(lines.some((line) => line.startsWith('curl '))).toBe(true);
    for (const line of lines) expect(line).toContain(issuer);
  });

  it('makes no session for whoever looks, and answers HEAD', async () => {
    const mock = await start();
    for (const method of ['GET', 'HEAD']) {
      for (const accept of [BROWSER, CURL]) {
        const { headers, status } = await get(mock, '/', accept, method);
        expect([status, headers.get('set-cookie')]).toEqual([200, null]);
      }
    }
    expect(await (await get(mock, '/', BROWSER, 'HEAD')).text()).toBe('');
  });
});

describe.each(MOCKS)('where a browser is lost at a %s', (kind, start) => {
  it.each([
    ['nothing', '/nothing/%3Cscript%3E', 404],
    ['an endpoint for POST', '/oauth2/token', 405],
  ])('shows a page for %s that leads to the start', async (_what, path, status) => {
    const response = await get(await start(), path, BROWSER);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    const document = parse(await response.text());
    expect(document.querySelector('main')?.text).toContain(`a ${kind}`);
    expect(document.querySelector('main a')?.getAttribute('href')).toBe('/');
    expect(document.querySelectorAll('script')).toEqual([]);
  });

  it.each([
    ['a wildcard', CURL],
    ['nothing', undefined],
  ])('answers a program that accepts %s in the shape of the endpoint', async (_what, accept) => {
    const mock = await start();
    for (const [path, code] of [
      ['/nothing', 'not_found'],
      ['/oauth2/token', 'invalid_request'],
    ] as const) {
      const response = await get(mock, path, accept);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ error: code });
    }
  });

  it('keeps the shape of the endpoint where a page sends to it, or its own rules refuse', async () => {
    const mock = await start();
    const sent = await get(mock, '/oauth2/token', BROWSER, 'POST');
    expect(sent.headers.get('content-type')).toBe('application/json');
    const refused = await get(
      mock,
      kind === 'mock service' ? '/api/resource' : '/oauth2/userinfo',
      BROWSER,
    );
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      401,
      'application/json',
    ]);
  });
});
