import type { Answer } from '../http/answer.ts';
import type { Sending } from '../http/http-client.ts';
import type { PageForm } from './forms.ts';
import { readContent } from './page-content.ts';
import { type Page, Visitor } from './visitor.ts';

/** A request of a visitor. */
export interface Hop {
  readonly url: string;
  readonly sending: Sending;
  readonly answer: Answer;
}

/** A visitor whose every request is recorded, and whom no redirect takes to a foreign site. */
export class GuardedVisitor {
  readonly visitor: Visitor;
  readonly all: Hop[] = [];
  /** The foreign host. Never visited. */
  readonly elsewhere: string;

  constructor(send: (url: string, sending: Sending) => Promise<Answer>, elsewhere: string) {
    this.elsewhere = elsewhere;
    this.visitor = new Visitor(async (url, sending) => {
      if (isForeign(url, elsewhere)) {
        throw new ForeignRedirect(url, this.all.at(-1)?.answer.exchange);
      }
      const answer = await send(url, { from: 'user', ...sending });
      this.all.push({ url, sending, answer });
      return answer;
    });
  }

  posts(): readonly Hop[] {
    return this.all.filter(({ sending }) => sending.method === 'POST');
  }
}

/** A redirect would have taken a visitor to a foreign site. */
export class ForeignRedirect extends Error {
  override readonly name = 'ForeignRedirect';
  readonly url: string;
  readonly exchange: number | undefined;

  constructor(url: string, exchange: number | undefined) {
    super(`redirected to ${url}`);
    this.url = url;
    this.exchange = exchange;
  }
}

function isForeign(url: string, elsewhere: string): boolean {
  const { hostname, protocol } = new URL(url);
  return !/^https?:$/.test(protocol) || hostname.endsWith(elsewhere);
}

/** The name of the wire contract; others are found by what they hold. */
const USUAL_NAME = 'return_to';

/** The destinations without a host. */
const SCRIPTS: readonly string[] = ['javascript:alert(1)', 'data:text/html,<p>x</p>'];

/**
 * Foreign destinations, in the spellings by which filters are passed.
 * @param host That of the sign-in page.
 */
export function foreignDestinations(elsewhere: string, host: string): readonly string[] {
  return [
    `https://${elsewhere}/`,
    `//${elsewhere}/`,
    `///${elsewhere}/`,
    `/\\${elsewhere}/`,
    `\\\\${elsewhere}/`,
    `https:${elsewhere}`,
    `%2f%2f${elsewhere}/`,
    `/%2f%2f${elsewhere}/`,
    `/\t/${elsewhere}/`,
    `/\n/${elsewhere}/`,
    `%09//${elsewhere}/`,
    `/%09/${elsewhere}/`,
    `/%5c${elsewhere}/`,
    ` //${elsewhere}/`,
    `/.//${elsewhere}/`,
    `/x/../..//${elsewhere}/`,
    `https://${host}@${elsewhere}/`,
    `https://${host}.${elsewhere}/`,
    `@${elsewhere}/`,
    `/login?return_to=//${elsewhere}/`,
    ...SCRIPTS,
  ];
}

/** Query parameters that may name a destination: the usual one, and those of these links that hold one. */
export function destinationNames(...links: readonly string[]): readonly string[] {
  const found = links.flatMap((each) =>
    [...new URL(each).searchParams].filter(([, value]) => isDestination(value)),
  );
  return [...new Set([USUAL_NAME, ...found.map(([name]) => name)])];
}

function isDestination(value: string): boolean {
  return value.startsWith('/') || /^https?:/.test(value);
}

/** A link in which each of these parameters names the destination. */
export function withDestination(
  url: string,
  names: readonly string[],
  destination: string,
): string {
  const changed = new URL(url);
  for (const name of names) changed.searchParams.set(name, destination);
  return changed.href;
}

/** The hidden URLs of a form, and the usual parameter, with a destination. */
export function hiddenDestinations(
  form: PageForm,
  destination: string,
): Readonly<Record<string, string>> {
  const hidden = form.fields
    .filter(({ type, value }) => type === 'hidden' && isDestination(value))
    .map(({ name }) => [name, destination]);
  return { [USUAL_NAME]: destination, ...Object.fromEntries(hidden) };
}

/** Where a walk led. */
export interface WayAbroad {
  /** The foreign URL to which a redirect, a Refresh or a link led. */
  readonly foreignUrl: string | undefined;
  /** An answer on the way has the header. */
  readonly isInjected: boolean;
  readonly exchange: number | undefined;
}

/** Follows what a visitor does, to a foreign site or to its end. */
export async function follow<Guarded extends GuardedVisitor>(
  hops: Guarded,
  header: string,
  walk: (hops: Guarded) => Promise<Page | undefined>,
): Promise<WayAbroad> {
  const before = hops.all.length;
  let foreign: ForeignRedirect | undefined;
  try {
    const page = await walk(hops);
    const url = page && leadsAbroad(page, hops.elsewhere);
    if (url !== undefined) foreign = new ForeignRedirect(url, page?.answer.exchange);
  } catch (error) {
    if (!(error instanceof ForeignRedirect)) throw error;
    foreign = error;
  }
  const injected = hops.all.slice(before).find(({ answer }) => answer.header(header) !== undefined);
  return {
    foreignUrl: foreign?.url,
    isInjected: injected !== undefined,
    exchange: foreign?.exchange ?? injected?.answer.exchange,
  };
}

/** Where a page leads without a redirect: by Refresh, or by a link. */
function leadsAbroad({ answer, url }: Page, elsewhere: string): string | undefined {
  const { leads, links } = readContent(answer, url);
  return [...leads, ...links].find((other) => {
    const { hostname } = new URL(other);
    return hostname.endsWith(elsewhere) || SCRIPTS.includes(other);
  });
}
