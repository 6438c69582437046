import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Fetch, FetchInit } from '../../src/runtime/index.ts';
import type { FakeProvider } from '../mock-service/harness.ts';
import { TestUser } from '../support/test-user.ts';

/** What a client sees of a mock, whichever door its options came through. */
export class Probed {
  /** The URL that it calls itself. */
  readonly issuer: string;
  /** Where it listens; in the library the same. */
  readonly origin: string;
  /** A provider at `https://provider.test` that the mocks can reach. */
  readonly other: FakeProvider;
  /** The pages that were opened in the browser. */
  readonly opened: readonly string[];
  /** Of a mock that a command started. */
  readonly controlToken: string | undefined;
  readonly #fetch: Fetch;

  constructor(given: {
    readonly issuer: string;
    readonly origin: string;
    readonly other: FakeProvider;
    readonly opened: readonly string[];
    readonly controlToken?: string | undefined;
    readonly fetch: Fetch;
  }) {
    this.issuer = given.issuer;
    this.origin = given.origin;
    this.other = given.other;
    this.opened = given.opened;
    this.controlToken = given.controlToken;
    this.#fetch = given.fetch;
  }

  fetch(path: string, init: FetchInit = {}): Promise<Response> {
    return this.#fetch(this.origin + path, init);
  }

  async json(path: string, init: FetchInit = {}): Promise<Record<string, unknown>> {
    const answer: unknown = await (await this.fetch(path, init)).json();
    if (typeof answer !== 'object' || answer === null) throw new Error(`No object at ${path}`);
    return answer as Record<string, unknown>;
  }

  async text(path: string): Promise<string> {
    return (await this.fetch(path)).text();
  }

  async status(path: string, init: FetchInit = {}): Promise<number> {
    const response = await this.fetch(path, init);
    await response.arrayBuffer();
    return response.status;
  }

  /**
   * Of a call with the control token whose peer is no loopback IP: what listens on loopback is called from another
   * interface of this machine.
   */
  statusFromElsewhere(path: string): Promise<number | undefined> {
    const localAddress = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (localAddress === undefined) throw new Error('This machine has no interface but loopback.');
    const headers = { authorization: `Bearer ${this.controlToken}` };
    return new Promise((resolve, reject) => {
      get(this.origin + path, { localAddress, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });
  }

  /** Of a request that names another host, which `fetch` does not send. */
  statusAtHost(host: string, path: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      get(this.origin + path, { headers: { host } }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });
  }

  post(path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.json(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  form(path: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    return this.json(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  }

  /** An ID-JAG of the other provider. */
  idJag(claims: Readonly<Record<string, unknown>>): Promise<string> {
    return this.other.idJag({ ...claims });
  }

  /** Registers by an ID-JAG of the other provider; resolves to what was answered. */
  async registerByIdJag(claims: Readonly<Record<string, unknown>> = {}) {
    return this.post('/agent/identity', {
      type: 'identity_assertion',
      assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
      assertion: await this.other.idJag({ aud: this.issuer, ...claims }),
    });
  }

  /** Somebody at a browser, who goes to the mock's own pages. */
  user(): TestUser {
    return new TestUser(async (request) =>
      this.#fetch(request.url.replace(this.issuer, this.origin), {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        ...(request.body !== null && { body: await request.text() }),
      }),
    );
  }
}
