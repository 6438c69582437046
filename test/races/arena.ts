import { JWT_BEARER_GRANT } from '../../src/protocol/index.ts';
import { FakeClock } from '../../src/runtime/index.ts';
import { BASE, type Ceremony, FakeProvider, type Json, PROVIDER } from '../mock-service/harness.ts';
import { TestUser } from '../support/test-user.ts';
import { type Received, Replicas, type Sent, type StorePlace } from './replicas.ts';

const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
const JSON_TYPE = { 'content-type': 'application/json' };
const AUDIT_PAGE = 1000;
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Two stores that all processes open: one whose clock is the system's, one where an hour passes at a word. */
export interface TwoStores {
  readonly main: StorePlace;
  readonly limited: StorePlace;
}

interface Given {
  readonly faults?: readonly string[];
  readonly provider?: Arena;
}

/** A signed-in user, whose requests many can send. */
export interface Visitor {
  readonly cookie: string;
  readonly csrfToken: string;
}

/**
 * Replicas of three services, and a provider: the flat dialect, the nested one and the provider on the same store, and
 * a service that limits registrations.
 */
export class Arena {
  readonly replicas: Replicas;
  readonly #provider: FakeProvider;
  readonly #clock: FakeClock;
  readonly #audited = new Map<string, number>();
  readonly #visitors = new Map<string, Promise<Visitor>>();
  #reading: Promise<void> = Promise.resolve();
  #lastEntry = 0;
  #names = 0;

  private constructor(replicas: Replicas, provider: FakeProvider, clock: FakeClock) {
    this.replicas = replicas;
    this.#provider = provider;
    this.#clock = clock;
  }

  /** @param given faults that all services have, and an arena whose provider is theirs too. */
  static async start(
    count: number,
    stores: TwoStores,
    { faults = [], provider: other }: Given = {},
  ): Promise<Arena> {
    const clock = other === undefined ? new FakeClock(Date.now()) : other.#clock;
    const provider = other === undefined ? new FakeProvider(clock) : other.#provider;
    if (other === undefined) await provider.addKey('key-1');
    const options = { faults, trust: [{ issuer: PROVIDER }] };
    const replicas = await Replicas.start(count, {
      jwks: { keys: [...provider.keys.values()].map(({ jwk }) => jwk) },
      stores: { ...stores },
      services: {
        flat: { store: 'main', options },
        provider: { store: 'main', options: 'provider' },
        nested: { store: 'main', options: { ...options, dialect: 'nested' } },
        limited: {
          store: 'limited',
          isFrozenAt: Date.now(),
          options: { ...options, rateLimit: true },
        },
      },
    });
    return new Arena(replicas, provider, clock);
  }

  /** One that no other round has. */
  newName(): string {
    this.#names += 1;
    return `name-${this.#names}`;
  }

  /** By the system's clock. */
  get provider(): FakeProvider {
    this.#clock.advance(Date.now() - this.#clock.now());
    return this.#provider;
  }

  flat(sent: Sent): Promise<Received> {
    return this.replicas.send('flat', sent);
  }

  post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    return this.flat({
      method: 'POST',
      path,
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  }

  nested(path: string, body: object): Promise<Received> {
    const sent = { method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) } as const;
    return this.replicas.send('nested', sent);
  }

  form(
    path: string,
    fields: Record<string, string>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    return this.flat({
      method: 'POST',
      path,
      headers: { ...FORM_TYPE, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  register(body: object): Promise<Received> {
    return this.post('/agent/identity', body);
  }

  registerBy(assertion: string): Promise<Received> {
    return this.register({ type: 'identity_assertion', assertion });
  }

  /** A form to the provider's own mock. */
  atProvider(path: string, fields: Record<string, string>): Promise<Received> {
    return this.replicas.send('provider', {
      method: 'POST',
      path,
      headers: FORM_TYPE,
      body: new URLSearchParams(fields).toString(),
    });
  }

  startClaim(claimToken: unknown, email: string): Promise<Received> {
    return this.post('/agent/identity/claim', { claim_token: claimToken, email });
  }

  exchange(assertion: unknown): Promise<Received> {
    return this.form('/oauth2/token', {
      grant_type: JWT_BEARER_GRANT,
      assertion: String(assertion),
    });
  }

  poll(claimToken: unknown): Promise<Received> {
    return this.form('/oauth2/token', {
      grant_type: CLAIM_GRANT,
      claim_token: String(claimToken),
    });
  }

  call(token: unknown): Promise<Received> {
    return this.flat({
      path: '/api/resource',
      headers: { authorization: `Bearer ${String(token)}` },
    });
  }

  notify(event: string): Promise<Received> {
    const headers = { 'content-type': 'application/secevent+jwt' };
    return this.flat({ method: 'POST', path: '/agent/event/notify', headers, body: event });
  }

  /** The user's code, as their page sends it. */
  submit(visitor: Visitor, { verification_uri: url }: Ceremony, code: string): Promise<Received> {
    const path = '/agent/identity/claim/complete';
    const token = url.slice(url.lastIndexOf('/') + 1);
    return this.post(
      path,
      { claim_attempt_token: token, user_code: code },
      { cookie: visitor.cookie, 'x-csrf-token': visitor.csrfToken },
    );
  }

  /** A user who signs in once. */
  visitor(email: string): Promise<Visitor> {
    const visitor = this.#visitors.get(email) ?? this.#signIn(email);
    this.#visitors.set(email, visitor);
    return visitor;
  }

  /** Somebody at a browser, whose requests go to one of the mocks. */
  browser(mock: string): TestUser {
    return new TestUser(async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = request.method === 'POST' ? await request.text() : undefined;
      const { headers, status, text } = await this.replicas.send(mock, {
        method: request.method === 'POST' ? 'POST' : 'GET',
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(body !== undefined && { body }),
      });
      return new Response(status === 303 ? null : text, { status, headers: headersOf(headers) });
    });
  }

  async #signIn(email: string): Promise<Visitor> {
    const user = this.browser('flat');
    const page = await user.openSignedIn(`${BASE}/connections`, email);
    const csrfToken = page.document
      .querySelector('input[name="csrf_token"]')
      ?.getAttribute('value');
    if (csrfToken === undefined) throw new Error(`No form on the page: ${page.text}`);
    const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { cookie, csrfToken };
  }

  /** As inspected by the controls. */
  registration(id: unknown): Promise<Json> {
    return this.replicas.control('flat', `/registrations/${String(id)}`);
  }

  /** Its open claim, completed as its user would. */
  complete(id: unknown, service = 'flat'): Promise<Json> {
    return this.replicas.control(service, `/registrations/${String(id)}/complete`, {});
  }

  /** How often an action of the audit trail named a registration, or an event by its `jti`. */
  async audited(action: string, name: unknown): Promise<number> {
    this.#reading = this.#reading.then(() => this.#readAudit());
    await this.#reading;
    return this.#audited.get(`${action} ${String(name)}`) ?? 0;
  }

  /** What is new: the trail keeps its latest entries alone. */
  async #readAudit(): Promise<void> {
    for (let length = AUDIT_PAGE; length === AUDIT_PAGE; ) {
      const path = `/audit?after=${this.#lastEntry}&limit=${AUDIT_PAGE}`;
      const entries = (await this.replicas.control('flat', path))['entries'] as readonly Json[];
      for (const { action, detail, registration_id, seq } of entries) {
        const name = `${String(action)} ${String(registration_id ?? (detail as Json)['jti'])}`;
        this.#audited.set(name, (this.#audited.get(name) ?? 0) + 1);
        this.#lastEntry = Number(seq);
      }
      length = entries.length;
    }
  }
}

function headersOf(received: Received['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return headers;
}
