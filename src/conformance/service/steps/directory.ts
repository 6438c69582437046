import { NotApplicable } from '../../engine/judge.ts';
import { type Answer, isObject } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import type { ServiceWorld } from '../service-world.ts';

type Json = Readonly<Record<string, unknown>>;

/** A method that the listing names, with its address whole. */
export interface ListedMethod {
  readonly service: string;
  readonly id: unknown;
  /** With `{format}` and other variables. */
  readonly template: string;
}

const LISTING = '/api/services';

/** The service directory of a service, if it has one. */
export class Directory {
  /** The answer to the listing as JSON. */
  readonly listing: Answer;
  /** The address of the listing, without its format. */
  readonly address: string;
  readonly #world: ServiceWorld;

  private constructor(world: ServiceWorld, address: string, listing: Answer) {
    this.#world = world;
    this.address = address;
    this.listing = listing;
  }

  /** @throws NotApplicable where there is none: the protocol does not need one. */
  static async open(world: ServiceWorld): Promise<Directory> {
    const { issuer, resource } = world.facts;
    const base = [resource, issuer].find((url) => url !== undefined && URL.canParse(url));
    if (base === undefined) throw new NotApplicable('No address of the service is known.');
    const address = new URL(LISTING, base).href;
    const listing = await world.send(`${address}.json`);
    // A service may answer every unknown path with a page, or ask for a token at it.
    if (!isListing(listing)) {
      throw new NotApplicable(
        `No service directory is at ${address}.json (${listing.describe()}); the protocol does not need one.`,
      );
    }
    return new Directory(world, address, listing);
  }

  /** The listing in a format, with a query. */
  get(format: string, query = '', sending: Sending = {}): Promise<Answer> {
    return this.#world.send(`${this.address}.${format}${query}`, sending);
  }

  /** A listed method in a format; of the judged service alone, whatever addresses it lists. */
  async call(
    template: string,
    format = 'json',
    sending: Sending = {},
  ): Promise<Answer | undefined> {
    const url = template.replace('{format}', format).replace(/\{[^{}]*\}/g, 'x');
    if (!URL.canParse(url) || new URL(url).origin !== new URL(this.address).origin)
      return undefined;
    return this.#world.send(url, sending);
  }

  get meta(): Json {
    return metaOf(this.listing);
  }

  get services(): readonly Json[] {
    return objects(this.listing.member('data'));
  }

  methods(): readonly ListedMethod[] {
    return this.services.flatMap(({ methods, service_name: name, service_url: url }) =>
      objects(methods).flatMap(({ method_id: id, method_url: path }) =>
        typeof url === 'string' && typeof path === 'string'
          ? [{ service: String(name), id, template: url + path }]
          : [],
      ),
    );
  }

  /** A method by the end of its template, for example `/api/methods.{format}`. */
  find(end: string): ListedMethod | undefined {
    return this.methods().find(({ template }) => template.endsWith(end));
  }
}

/** Even one with mistakes; another API may have a list at that address. */
function isListing(answer: Answer): boolean {
  if (answer.member('meta') !== undefined) return true;
  return objects(answer.member('data')).some((entry) => 'service_name' in entry);
}

export function metaOf(answer: Answer): Json {
  const meta = answer.member('meta');
  return isObject(meta) ? meta : {};
}

export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
