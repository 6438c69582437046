import { isLoopbackHost } from '../../protocol/index.ts';

/** From where a host can be reached: this machine and its link, one's own network, everywhere. */
const REACHES = ['machine', 'network', 'world'] as const;

type HostReach = (typeof REACHES)[number];

type Range = readonly [base: number, bits: number, reach: HostReach];

const ipv4 = (a: number, b = 0, c = 0, d = 0): number => ((a * 256 + b) * 256 + c) * 256 + d;

/** Special-purpose ranges (RFC 6890). */
const IPV4_RANGES: readonly Range[] = [
  [ipv4(0), 8, 'machine'],
  [ipv4(127), 8, 'machine'],
  [ipv4(169, 254), 16, 'machine'],
  [ipv4(224), 3, 'machine'],
  [ipv4(10), 8, 'network'],
  [ipv4(100, 64), 10, 'network'],
  [ipv4(172, 16), 12, 'network'],
  [ipv4(192, 0, 0), 24, 'network'],
  [ipv4(192, 168), 16, 'network'],
  [ipv4(198, 18), 15, 'network'],
];

/** By the first 16 bits. */
const IPV6_RANGES: readonly Range[] = [
  [0xfc00, 7, 'network'],
  [0xfec0, 10, 'network'],
  [0xfe80, 10, 'machine'],
  [0xff00, 8, 'machine'],
];

/**
 * The reach of a URL's `hostname`, as the URL parser writes it. Names are not resolved: but for
 * `localhost`, any name counts as public.
 */
export function hostReach(hostname: string): HostReach {
  const host = hostname.replace(/\.+$/, '').toLowerCase();
  if (isLoopbackHost(host)) return 'machine';
  const groups = host.startsWith('[') ? readIpv6(host.slice(1, -1)) : undefined;
  if (groups !== undefined) return ipv6Reach(groups);
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (parts === null) return 'world';
  const [, a, b, c, d] = parts.map(Number);
  return ipv4Reach(ipv4(a ?? 0, b, c, d));
}

/** Whether a server at one host may be made to call another: never one of a narrower reach than its own. */
export function mayReach(from: string, to: string): boolean {
  return REACHES.indexOf(hostReach(to)) >= REACHES.indexOf(hostReach(from));
}

function ipv4Reach(address: number): HostReach {
  return inRanges(IPV4_RANGES, address, 32);
}

function ipv6Reach(groups: readonly number[]): HostReach {
  const [first = 0, second] = groups;
  const [high = 0, low = 0] = groups.slice(6);
  const isEmbedded =
    // IPv4-mapped and -compatible addresses, `::` and `::1` (RFC 4291 §2.5), and NAT64 (RFC 6052 §2.1).
    groups.slice(0, 5).every((group) => group === 0) || (first === 0x64 && second === 0xff9b);
  return isEmbedded ? ipv4Reach(high * 65_536 + low) : inRanges(IPV6_RANGES, first, 16);
}

function inRanges(ranges: readonly Range[], value: number, width: number): HostReach {
  const found = ranges.find(([base, bits]) => {
    const size = 2 ** (width - bits);
    return value >= base && value < base + size;
  });
  return found?.[2] ?? 'world';
}

/** Eight groups; `undefined` when it is none. The URL parser writes no dotted tail. */
function readIpv6(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  const missing = 8 - before.length - after.length;
  if (more.length > 0 || (tail === undefined ? missing !== 0 : missing < 0)) return undefined;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}
