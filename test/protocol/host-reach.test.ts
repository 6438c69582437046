import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/mock-provider/options.ts';
import { hostReach, mayReach } from '../../src/protocol/index.ts';

const reachOf = (url: string) => hostReach(new URL(url).hostname);

describe('a URL leads', () => {
  it.each([
    'http://localhost',
    'https://localhost.',
    'https://a.localhost.',
    'http://127.0.0.1',
    'https://127.0.0.1.',
    'https://127.9.9.9',
    'https://2130706433',
    'https://0x7f.1',
    'https://0.0.0.0',
    'https://169.254.169.254',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'http://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:0:0]',
    'https://[::ffff:169.254.169.254]',
    'https://[::127.0.0.1]',
    'https://[64:ff9b::127.0.0.1]',
    'https://[fe80::1]',
    'https://[febf::1]',
    'https://[ff02::1]',
  ])('to the machine itself, or its link: %s', (url) => {
    expect(reachOf(url)).toBe('machine');
  });

  it.each([
    'https://10.0.0.1',
    'https://10.255.255.255',
    'https://100.64.0.1',
    'https://172.16.0.1',
    'https://172.31.255.255',
    'https://192.168.1.1',
    'https://198.19.0.1',
    'https://[fc00::1]',
    'https://[fdff::1]',
    'https://[::ffff:10.0.0.1]',
    'https://[64:ff9b::10.0.0.1]',
    // Of nobody: documentation, benchmarking, protocol assignments, future use.
    'https://192.0.2.1',
    'https://192.0.0.1',
    'https://198.18.0.1',
    'https://198.51.100.1',
    'https://203.0.113.1',
    'https://240.0.0.1',
    'https://[2001:db8::1]',
    'https://[2001:db8:1:2:3:4:5:6]',
    'https://[3fff::1]',
    'https://[100::1]',
    // They lead on, who knows where to.
    'https://192.88.99.1',
    'https://[2002:7f00:1::]',
    'https://[2001::1]',
    'https://[64:ff9b:1::a00:1]',
    'https://[::ffff:0:127.0.0.1]',
  ])('to a network of one’s own: %s', (url) => {
    expect(reachOf(url)).toBe('network');
  });

  it.each([
    'https://service.test',
    'https://localhost.example',
    'https://9.255.255.255',
    'https://11.0.0.0',
    'https://100.128.0.0',
    'https://172.15.255.255',
    'https://172.32.0.0',
    'https://192.167.255.255',
    'https://[2606:4700::1]',
    'https://[::ffff:8.8.8.8]',
    'https://[64:ff9b::8.8.8.8]',
    'https://[fbff::1]',
    'https://[2606:1:2:3:4:5:6:7]',
  ])('into the world: %s', (url) => {
    expect(reachOf(url)).toBe('world');
  });

  it('never to somewhere closer than where it is asked from', () => {
    expect(mayReach('127.0.0.1', '10.0.0.1')).toBe(true);
    expect(mayReach('10.0.0.2', '10.0.0.1')).toBe(true);
    expect(mayReach('10.0.0.2', '127.0.0.1')).toBe(false);
    expect(mayReach('provider.test', 'service.test')).toBe(true);
    expect(mayReach('provider.test', '10.0.0.1')).toBe(false);
  });
});

describe('a provider', () => {
  const config = (baseUrl: string, audiences?: readonly string[]) =>
    resolveOptions({
      baseUrl,
      ...(audiences && { audiences }),
    });
  const INSIDE = ['https://[::ffff:7f00:1]', 'https://0.0.0.0', 'https://10.0.0.1'];

  it.each([...INSIDE, 'https://localhost.'])('at a public address does not knock at %s', (to) => {
    expect(config('https://provider.test').mayNotify(to)).toBe(false);
    expect(config('https://provider.test', [to]).mayNotify(to)).toBe(true);
  });

  it.each(INSIDE)('on this machine does: %s', (to) => {
    expect(config('http://127.0.0.1:4801').mayNotify(to)).toBe(true);
  });
});
