import type { Explained } from '../../traffic/index.ts';
import * as read from './read-exchange.ts';
import { RecentMap } from './recent-map.ts';

/** What was learned from the exchanges so far: the rules share it. */
export class KnownTraffic {
  readonly secrets = new KnownSecrets();
  readonly documents = new KnownDocuments();

  /** After the rules have judged it. */
  learn(explained: Explained): void {
    this.secrets.learn(explained);
    this.documents.learn(explained);
  }
}

/** What the last metadata of an authorization server said. */
interface ServerDocument {
  readonly issuer: string;
  /** Undefined where it lists none: its default is no grant of this protocol (RFC 8414 §2). */
  readonly grants: readonly string[] | undefined;
  /** The resources that the document itself names. */
  readonly resources: readonly string[];
}

/** The metadata that was seen, by where it leads. */
class KnownDocuments {
  /** Documents by the URL of an endpoint that they name. */
  readonly #byEndpoint = new RecentMap<string, ServerDocument>(1_000);
  /** The origins of the authorization servers that a resource's documents name, by its origin. */
  readonly #serversOf = new RecentMap<string, ReadonlySet<string>>(1_000);
  /** The resources that tokens were asked for, by the origin of the authorization server. */
  readonly #asked = new RecentMap<string, ReadonlySet<string>>(1_000);

  learn({ exchange, step }: Explained): void {
    const { request, response, url } = exchange;
    const resource = read.membersOf(request.body)['resource'];
    const at = read.originOf(url);
    if (typeof resource === 'string' && at !== undefined) {
      add(this.#asked, at, read.originOf(resource));
    }
    if (!read.isSuccess(exchange)) return;
    const document = read.membersOf(response.body);
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

  #learnServer(document: read.Members): void {
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
    const block = read.membersOf(document['agent_auth']);
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

  #learnResource(document: read.Members): void {
    const { resource, authorization_servers: servers } = document;
    const origin = typeof resource === 'string' ? read.originOf(resource) : undefined;
    if (origin === undefined || !Array.isArray(servers)) return;
    for (const server of servers) add(this.#serversOf, origin, read.originOf(String(server)));
  }
}

function add(
  to: RecentMap<string, ReadonlySet<string>>,
  key: string,
  value: string | undefined,
): void {
  if (value !== undefined) to.set(key, new Set([...[...(to.get(key) ?? [])].slice(-50), value]));
}

type SecretKind =
  | 'access_token'
  | 'identity_assertion'
  | 'id_jag'
  | 'id_token'
  | 'refresh_token'
  | 'claim_token'
  | 'user_code';

interface KnownSecret {
  /** What the text is. It may be several things: a service may give an API key as assertion and token. */
  readonly kinds: ReadonlySet<SecretKind>;
  /** Who gave it out; undefined where that was not seen. */
  readonly issuedBy: string | undefined;
}

/** Members of answers by which the standards and the specification call them. */
const GIVEN: Readonly<Record<string, SecretKind>> = {
  access_token: 'access_token',
  identity_assertion: 'identity_assertion',
  id_token: 'id_token',
  refresh_token: 'refresh_token',
  claim_token: 'claim_token',
  user_code: 'user_code',
};

/** Which fingerprint is what kind of a secret, as answers said, and which of them are in links that were handed out. */
class KnownSecrets {
  readonly #known = new RecentMap<string, KnownSecret>(20_000);
  readonly #inLinks = new RecentMap<string, true>(20_000);

  learn({ exchange, step }: Explained): void {
    const { request, response, url } = exchange;
    for (const [name, value] of read.eachMember(request.body)) {
      const fingerprint = read.fingerprintOf(value);
      if (fingerprint === undefined) continue;
      if (name === 'claim_token') this.#add(fingerprint, 'claim_token');
      else if (isIdJag(value)) this.#add(fingerprint, 'id_jag');
    }
    const issuedBy = read.originOf(url);
    for (const [name, value] of read.eachMember(response.body)) {
      const fingerprint = read.fingerprintOf(value);
      if (fingerprint === undefined) {
        if (typeof value === 'string') this.#addLinks(value);
        continue;
      }
      const kind =
        isIdJag(value) || (step === 'mint' && name === 'access_token') ? 'id_jag' : GIVEN[name];
      if (kind !== undefined && isGiven(kind, read.isSuccess(exchange))) {
        this.#add(fingerprint, kind, issuedBy);
      }
    }
    if (typeof response.body === 'string') this.#addLinks(response.body);
    this.#addLinks(response.headers['location'] ?? '');
  }

  /** Whether it was seen as one of these and as nothing else. */
  isOnly(fingerprint: string, ...kinds: readonly SecretKind[]): boolean {
    const known = this.#known.get(fingerprint);
    return known !== undefined && [...known.kinds].every((kind) => kinds.includes(kind));
  }

  issuerOf(fingerprint: string): string | undefined {
    return this.#known.get(fingerprint)?.issuedBy;
  }

  /** Whether a link with it in was handed out: to follow that is no mistake. */
  isInLink(fingerprint: string): boolean {
    return this.#inLinks.has(fingerprint);
  }

  #add(fingerprint: string, kind: SecretKind, issuedBy?: string): void {
    const { kinds = [], issuedBy: before } = this.#known.get(fingerprint) ?? {};
    this.#known.set(fingerprint, {
      kinds: new Set([...kinds, kind]),
      issuedBy: before ?? issuedBy,
    });
  }

  #addLinks(text: string): void {
    for (const fingerprint of read.fingerprintsIn(text)) this.#inLinks.set(fingerprint, true);
  }
}

/** A claim comes with a refusal, too: `interaction_required`. */
function isGiven(kind: SecretKind, isOk: boolean): boolean {
  return isOk || kind === 'claim_token' || kind === 'user_code';
}

function isIdJag(value: unknown): boolean {
  if (!read.isMembers(value)) return false;
  const typ = read.membersOf(value['header'])['typ'];
  return typeof typ === 'string' && /^(?:application\/)?oauth-id-jag\+jwt$/i.test(typ);
}
