import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from './urls.ts';

/** Where a host can be reached from: this machine and its link, one's own network, everywhere. */
export type HostReach = 'machine' | 'network' | 'world';

/** The reaches from the narrowest on. */
const REACHES: readonly HostReach[] = ['machine', 'network', 'world'];

/** Where a host is: by the special-purpose ranges (RFC 6890), or, for a name, as far as its spelling tells. */
interface Place {
  readonly reach: HostReach;
  /** The range, as it is called: `loopback`, `private`. */
  readonly range: string;
}

const ON_THE_LINK: readonly string[] = [
  'unspecified',
  'loopback',
  'linkLocal',
  'multicast',
  'broadcast',
];

const WORLD: Place = { reach: 'world', range: 'unicast' };

/** The reach of an IP address. What is not meant for everybody is of a network, also where it is of none. */
export function ipReach(ip: string): HostReach {
  return ipPlace(ip).reach;
}

/**
 * The reach of a URL's `hostname`, as the URL parser writes it. Names are not resolved: but for
 * `localhost`, any name counts as public.
 */
export function hostReach(hostname: string): HostReach {
  return hostPlace(hostname).reach;
}

/** Whether a server at one host may be made to call another: never one of a narrower reach than its own. */
export function mayReach(from: string, to: string): boolean {
  return isAsFar(hostReach(from), hostReach(to));
}

/** Whether a reach is as wide as one's own. */
export function isAsFar(own: HostReach, other: HostReach): boolean {
  return REACHES.indexOf(other) >= REACHES.indexOf(own);
}

/** `10.0.0.5 (private)`; a name without its range. */
export function describeHost(hostname: string): string {
  const { range } = hostPlace(hostname);
  return range === WORLD.range ? hostname : `${hostname} (${range})`;
}

function hostPlace(hostname: string): Place {
  const host = hostname.replace(/\.+$/, '').toLowerCase();
  if (isLoopbackHost(host)) return { reach: 'machine', range: 'loopback' };
  const ip = host.replace(/^\[(.*)\]$/, '$1');
  // A name is told by its form: `isValid` throws and catches for each, which took longer than all else of a judgement.
  return /^\d|:/.test(ip) && ipaddr.isValid(ip) ? ipPlace(ip) : WORLD;
}

function ipPlace(ip: string): Place {
  const read = ipaddr.parse(ip);
  if (read instanceof ipaddr.IPv6) {
    const embedded = embeddedIpv4(read);
    if (embedded !== undefined) return placeOf(embedded.range());
  }
  return placeOf(read.range());
}

function placeOf(range: string): Place {
  if (range === WORLD.range) return WORLD;
  const words = range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { reach: ON_THE_LINK.includes(range) ? 'machine' : 'network', range: words };
}

/**
 * What leads to an IPv4 address: mapped, compatible, `::` and `::1` among them (RFC 4291 §2.5), and the
 * public prefix of NAT64 (RFC 6052 §2.1). 6to4, Teredo and other NAT64 lead who knows where.
 */
function embeddedIpv4({ parts }: { readonly parts: readonly number[] }) {
  const isZero = (part: number) => part === 0;
  const isMapped = parts.slice(0, 5).every(isZero) && [0, 0xffff].includes(parts[5] ?? 0);
  const isNat64 = parts[0] === 0x64 && parts[1] === 0xff9b && parts.slice(2, 6).every(isZero);
  if (!isMapped && !isNat64) return undefined;
  const [high = 0, low = 0] = parts.slice(6);
  const bytes = [high >> 8, high & 255, low >> 8, low & 255];
  return new ipaddr.IPv4(bytes);
}
