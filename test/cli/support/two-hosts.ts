import { machineWithService, SERVICE } from './mocks.ts';
import type { Machine } from './run-cli.ts';

/** The authorization server is the mock service; its API is served from here. */
export const API = 'http://127.0.0.1:4810';
export const AUTH = SERVICE;

const PRM = '/.well-known/oauth-protected-resource';
const ASM = '/.well-known/oauth-authorization-server';

export interface TwoHosts {
  readonly machine: Machine;
  /** `METHOD origin/path`, with ` token` behind it when one was sent. */
  readonly seen: string[];
}

/**
 * An API and its authorization server on two hosts, as most are who did not build both at once.
 * @param resource how the API calls itself.
 * @param server what the server's metadata says beside, or `undefined` instead of, what the mock's says.
 */
export async function machineWithTwoHosts(
  resource: string = API,
  server: Readonly<Record<string, unknown>> = {},
): Promise<TwoHosts> {
  const machine = await machineWithService();
  const mock = machine.servers.get(AUTH);
  if (mock === undefined) throw new Error('The mock service is missing.');
  const seen: string[] = [];
  const note = ({ method, url, headers }: Request) => {
    const { origin, pathname } = new URL(url);
    seen.push(`${method} ${origin}${pathname}${headers.has('authorization') ? ' token' : ''}`);
  };

  machine.servers.set(AUTH, async (request) => {
    note(request);
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(PRM)) return new Response(null, { status: 404 });
    if (pathname === '/oauth2/token') {
      // The mock knows its own resource alone.
      const form = (await request.text()).replace(encodeURIComponent(resource), () =>
        encodeURIComponent(AUTH),
      );
      return mock(
        new Request(request.url, { method: 'POST', headers: request.headers, body: form }),
      );
    }
    const answer = await mock(request);
    if (pathname !== ASM) return answer;
    const metadata = { ...((await answer.json()) as object), resource: undefined, ...server };
    return Response.json(metadata, { headers: { date: answer.headers.get('date') ?? '' } });
  });

  machine.servers.set(new URL(resource).origin, async (request) => {
    note(request);
    const { origin, pathname } = new URL(request.url);
    const { pathname: base } = new URL(resource);
    const place = PRM + (base === '/' ? '' : base);
    if (pathname === place) return Response.json({ resource, authorization_servers: [AUTH] });
    if (pathname.startsWith('/.well-known/')) return new Response(null, { status: 404 });
    const answer = await mock(new Request(AUTH + pathname.replace(/^\/v1/, ''), request));
    const headers = new Headers(answer.headers);
    if (answer.status === 401) {
      headers.set('www-authenticate', `Bearer resource_metadata="${origin}${place}"`);
    }
    return new Response(answer.body, { status: answer.status, headers });
  });
  return { machine, seen };
}
