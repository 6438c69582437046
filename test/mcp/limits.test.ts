import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { LIMITED } from '../support/limited.ts';
import { Host } from './support/host.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type HostOptions = Parameters<typeof Host.start>[1];

const ELSEWHERE = 'https://intranet.example';

/** A service whose documents name another origin, and what was asked there. */
async function leadingAway(end: string, member: string, options: HostOptions) {
  const twin = await Twin.start({ dialect: 'flat' });
  const asked: string[] = [];
  const fetch: typeof twin.options.fetch = async (url, init) => {
    if (url.startsWith(ELSEWHERE)) {
      asked.push(url);
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    }
    const response = await twin.options.fetch(url, init);
    if (!url.endsWith(end)) return response;
    const text = JSON.stringify(await response.json());
    const named = new RegExp(`("${member}":\\[?)"${BASE}`, 'g');
    return new Response(text.replace(named, `$1"${ELSEWHERE}`), {
      headers: { 'content-type': 'application/json' },
    });
  };
  const host = await Host.start({ ...twin.options, fetch }, options);
  open.push(twin, host);
  return { host, asked };
}

describe('--only', () => {
  it.each([
    ['connect', 'oauth-protected-resource', 'authorization_servers'],
    ['discover', 'oauth-protected-resource', 'authorization_servers'],
    ['read_skill', 'oauth-authorization-server', 'skill'],
  ])('holds for what a service names, too: %s, %s, %s', async (tool, end, member) => {
    const free = await leadingAway(end, member, {});
    await free.host.call(tool, { service: BASE });
    expect(free.asked.length).toBeGreaterThan(0);
    const { host, asked } = await leadingAway(end, member, { only: [BASE] });
    const { data } = await host.call(tool, { service: BASE });
    expect(asked).toEqual([]);
    expect(data.error).toMatchObject({
      code: 'origin_not_allowed',
      message: `This server may not be used with ${ELSEWHERE}.`,
    });
  });
});

describe('a line for the user to type', () => {
  it('is one that a shell runs as it is meant, whatever stands in a URL', async () => {
    const twin = await Twin.start({ dialect: 'flat' });
    const fetch: typeof twin.options.fetch = () => Promise.reject(new Error('down'));
    const host = await Host.start({ ...twin.options, fetch });
    open.push(twin, host);
    const service = "https://api.example.com/a;echo$IFS'b'|cat&$(id)`id`";
    const { data, text } = await host.call('discover', { service });
    const line: string = data.next.user_command;
    expect(text).toContain(line);
    const words = line.replace(/^agent-auth /, "printf '%s\\n' ");
    const run = execFileSync('/bin/sh', ['-c', words], { ...LIMITED, encoding: 'utf8' });
    expect(run.trim().split('\n')).toEqual(['doctor', service]);
  });
});

describe('call', () => {
  it.each(['TRACE', 'connect', 'Track'])('does not take the method %s', async (method) => {
    const host = await connected();
    const { isError, text } = await host.call('call', { target: '/api/resource', method });
    expect(isError).toBe(true);
    expect(text).toContain('CONNECT, TRACE and TRACK are not sent');
  });

  it.each(['Host', 'proxy-authorization', 'transfer-encoding', 'Connection', 'content-length'])(
    'leaves the header %s to the connection',
    async (name) => {
      const host = await connected();
      const { data } = await host.call('call', {
        target: '/api/resource',
        headers: { [name]: '1' },
      });
      expect(data.error).toMatchObject({ code: 'header_not_allowed', hint: 'Leave it out.' });
    },
  );
});

async function connected(): Promise<Host> {
  const twin = await Twin.start({ dialect: 'flat' });
  const host = await Host.start(twin.options);
  open.push(twin, host);
  await host.call('connect', { service: BASE });
  return host;
}
