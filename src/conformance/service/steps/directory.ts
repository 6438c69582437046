import { NotApplicable } from '../../engine/judge.ts';
import { type Answer, isObject } from '../../http/answer.ts';
import type { Sending } from '../../http/http-client.ts';
import type { ServiceWorld } from '../service-world.ts';

type Json = Readonly<Record<string, unknown>>;

/** A method of the listing, with its whole URL. */
interface ListedMethod {
  readonly service: string;
  readonly id: unknown;
  /** The URL with `{format}` and other variables. */
  readonly template: string;
}

const LISTING = '/api/services';

/** The service directory of a service, if it has one. */
export class Directory {
  /** The answer to the listing as JSON. */
  readonly listing: Answer;
  /** The URL of the listing, without its format. */
  readonly url: string;
  readonly #world: ServiceWorld;

  private constructor(world: ServiceWorld, url: string, listing: Answer) {
    this.#world = world;
    this.url = url;
    this.listing = listing;
  }

  /** @throws NotApplicable where there is none: the protocol does not need one. */
  static async open(world: ServiceWorld): Promise<Directory> {
    const { issuer, resource } = world.facts;
    const base = [resource, issuer].find((url) => url !== undefined && URL.canParse(url));
    if (base === undefined) throw new NotApplicable('No URL of the service is known.');
    const url = new URL(LISTING, base).href;
    const listing = await world.send(`${url}.json`);
    // A service may answer every unknown path with a page, or ask for a token at it.
    if (!isListing(listing)) {
      throw new NotApplicable(
        `A service directory is optional, and there is none at ${url}.json (${listing.describe()}).`,
      );
    }
    return new Directory(world, url, listing);
  }

  /** The listing in a format, with a query. */
  get(format: string, query = '', sending: Sending = {}): Promise<Answer> {
    return this.#world.send(`${this.url}.${format}${query}`, sending);
  }

  /** A listed method in a format; only of the judged service, whatever URLs it lists. */
  async call(
    template: string,
    format = 'json',
    sending: Sending = {},
  ): Promise<Answer | undefined> {
    const url = template.replace('{format}', format).replace(/\{[^{}]*\}/g, 'x');
    if (!URL.canParse(url) || new URL(url).origin !== new URL(this.url).origin) return undefined;
    return this.#world.send(url, sending);
  }

  /** `meta.requests`, asked for again. */
  async requests(): Promise<number> {
    return Number(metaOf(await this.get('json'))['requests']);
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

/** Even one with mistakes; another API may have a list at that URL. */
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
