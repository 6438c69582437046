import { describe, expect, it } from 'vitest';
import { traceFetch } from '../../../src/cli/shell/context.ts';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { redactUrl } from '../../../src/cli/shell/redact-url.ts';
import { FakeClock } from '../../../src/runtime/fake.ts';
import { NetworkError } from '../../../src/runtime/ports.ts';
import { type ProxyFor, readProxies } from '../../../src/runtime/proxy.ts';
import { memoryStreams } from '../support/memory-streams.ts';

describe('redactUrl', () => {
  it.each([
    [
      'masks every query value',
      'https://a.example/x?token=abc&b=',
      'https://a.example/x?token=***&b=***',
    ],
    [
      'masks a value that is a URL itself',
      'https://a.example/login?return_to=%2Fclaim%3Ft%3Dcat_1',
      'https://a.example/login?return_to=***',
    ],
    [
      'masks a token in a path as in a query',
      'https://a.example/c/cat_X5hLimyzYSwu2q-MeUTjESuy01o/x',
      'https://a.example/c/***/x',
    ],
    [
      'decodes no escape beside a token',
      'https://a.example/%1b]0;evil%07%0aat_abcdefgh/%1b%5b2J',
      'https://a.example/***/%1b%5b2J',
    ],
    ['drops user and password', 'https://u:p@a.example/x', 'https://a.example/x'],
    ['drops the fragment', 'https://a.example/x#token=abc', 'https://a.example/x'],
    ['never repeats what is no URL', 'token abc', '(not a URL)'],
  ])('%s', (_case, url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });
});

describe('--debug', () => {
  const trace = async (
    json: boolean,
    answer: () => Promise<Response>,
    proxyFor: ProxyFor = () => undefined,
    url = 'https://a.example/x?code=123456',
  ) => {
    const memory = memoryStreams(
      false,
      readEnvironment({}, { platform: 'linux', inContainer: () => false }),
    );
    const clock = new FakeClock();
    const fetch = traceFetch(
      async () => {
        clock.advance(12);
        return answer();
      },
      { clock, stderr: memory.streams.stderr, json, proxyFor },
    );
    await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer at_secret' },
      body: 'claim_token=clm_secret',
    }).catch(() => {});
    return memory.stderr.text;
  };

  it('prints method, URL, status and duration, and nothing of headers and bodies', async () => {
    const line = await trace(false, async () => new Response('at_answer', { status: 201 }));
    expect(line).toBe('debug  POST https://a.example/x?code=*** → 201 (12 ms)\n');
  });

  it('prints why no answer came', async () => {
    const line = await trace(false, () => Promise.reject(new NetworkError('refused', 'no')));
    expect(line).toContain('→ refused');
  });

  it('names the proxy, without its credentials', async () => {
    const proxyFor = readProxies({ HTTPS_PROXY: 'http://user:s3cret@proxy.example:3128' });
    const line = await trace(false, async () => new Response(), proxyFor);
    expect(line).toContain(' through proxy.example:3128 → 200');
    expect(line).not.toMatch(/user|s3cret|dXNlcj/);
  });

  it.each([false, true])('writes no control character of a URL (JSON: %s)', async (json) => {
    const line = await trace(
      json,
      async () => new Response(),
      undefined,
      'http://127.0.0.1:4977/%1b]0;evil%07%0aat_abcdefgh/%c2%9b31m/at_ijklmnop?%1b]0;evil%07=1',
    );
    expect(line).toMatch(/^\P{Cc}+\n$/u);
    expect(line).not.toMatch(/at_/);
    expect(line).toContain('http://127.0.0.1:4977/***/%c2%9b31m/***?');
  });

  it('prints JSON lines under --json', async () => {
    const line = await trace(true, async () => new Response(null, { status: 204 }));
    expect(JSON.parse(line)).toEqual({
      schema: 'agent-auth.debug/1',
      method: 'POST',
      address: 'https://a.example/x?code=***',
      proxy: null,
      result: '204',
      ms: 12,
    });
  });
});
