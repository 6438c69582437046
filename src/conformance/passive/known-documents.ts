import type { Explained } from '../../traffic/index.ts';
import { isSuccess, type Members, membersOf, originOf } from './read-exchange.ts';
import { RecentMap } from './recent-map.ts';

/** What the last metadata of an authorization server said. */
export interface ServerDocument {
  readonly issuer: string;
  /** Undefined where it lists none: its default is no grant of this protocol (RFC 8414 §2). */
  readonly grants: readonly string[] | undefined;
  /** The resources that the document itself names. */
  readonly resources: readonly string[];
}

/** The metadata that was seen, by where it leads. */
export class KnownDocuments {
  /** By the URL of an endpoint that it names. */
  readonly #byEndpoint = new RecentMap<string, ServerDocument>(1_000);
  /** By the origin of a resource: the origins of the authorization servers that its documents name. */
  readonly #serversOf = new RecentMap<string, ReadonlySet<string>>(1_000);
  /** By the origin of an authorization server: the resources that tokens were asked for. */
  readonly #asked = new RecentMap<string, ReadonlySet<string>>(1_000);

  learn({ exchange, step }: Explained): void {
    const { request, response, url } = exchange;
    const resource = membersOf(request.body)['resource'];
    const at = originOf(url);
    if (typeof resource === 'string' && at !== undefined) {
      add(this.#asked, at, originOf(resource));
    }
    if (!isSuccess(exchange)) return;
    const document = membersOf(response.body);
    if (step === 'server_metadata') this.#learnServer(document);
    if (step === 'server_metadata' || step === 'resource_metadata') this.#learnResource(document);
  }

  /** The document that named this URL as an endpoint of its server. */
  serverAt(url: string): ServerDocument | undefined {
    return this.#byEndpoint.get(url);
  }

  /** The origins of the authorization servers of a resource; undefined where no document of it was seen. */
  serversOf(origin: string): ReadonlySet<string> | undefined {
    return this.#serversOf.get(origin);
  }

  /** Whether somebody asked that server for a token for a resource on that origin. */
  wasAskedFor(server: string, resource: string): boolean {
    return this.#asked.get(server)?.has(resource) ?? false;
  }

  #learnServer(document: Members): void {
    const { issuer } = document;
    if (typeof issuer !== 'string') return;
    const grants = document['grant_types_supported'];
    const known: ServerDocument = {
      issuer,
      grants: Array.isArray(grants) ? grants.map(String) : undefined,
      resources: [document['resource'], document['protected_resources']]
        .flat()
        .filter((each) => typeof each === 'string'),
    };
    const block = membersOf(document['agent_auth']);
    const endpoints = [
      document['token_endpoint'],
      block['identity_endpoint'],
      block['register_uri'],
      block['registration_endpoint'],
    ];
    for (const endpoint of endpoints) {
      if (typeof endpoint === 'string') this.#byEndpoint.set(endpoint, known);
    }
  }

  #learnResource(document: Members): void {
    const { resource, authorization_servers: servers } = document;
    const origin = typeof resource === 'string' ? originOf(resource) : undefined;
    if (origin === undefined || !Array.isArray(servers)) return;
    for (const server of servers) add(this.#serversOf, origin, originOf(String(server)));
  }
}

function add(
  to: RecentMap<string, ReadonlySet<string>>,
  key: string,
  value: string | undefined,
): void {
  if (value !== undefined) to.set(key, new Set([...[...(to.get(key) ?? [])].slice(-50), value]));
}
