import { serve } from '../../../src/mock/http/serve.ts';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService, type MockServiceOptions } from '../../../src/mock-service/index.ts';
import { FakeClock, type Fetch, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { FakeProvider, PROVIDER } from '../../mock-service/harness.ts';
import { TestUser } from '../../support/test-user.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an agent is answered that has to send its user to a page. */
const ASKING = ['consent_required', 'interaction_required'];

/** What a scene does with a mock beside its browser. */
interface Mock {
  fetch(request: Request): Promise<Response>;
  readonly controls: {
    reset(): Promise<unknown>;
    setFaults(faults: readonly string[]): Promise<unknown>;
  };
  close(): Promise<void>;
}

/** A mock that is served, and whoever is no browser at it. */
export class Place {
  readonly url: string;
  readonly mock: Mock;
  readonly #stop: () => Promise<void>;

  constructor(url: string, mock: Mock, stop: () => Promise<void>) {
    this.url = url;
    this.mock = mock;
    this.#stop = stop;
  }

  /** Another browser of the user, without a window. */
  otherBrowser(): TestUser {
    return new TestUser(this.mock.fetch);
  }

  async post(path: string, body: Members): Promise<Members> {
    return this.#send(path, JSON.stringify(body), 'application/json');
  }

  async form(path: string, fields: Readonly<Record<string, string>>): Promise<Members> {
    const type = 'application/x-www-form-urlencoded';
    return this.#send(path, new URLSearchParams(fields).toString(), type);
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.mock.close();
  }

  async #send(path: string, body: string, type: string): Promise<Members> {
    const headers = { 'content-type': type };
    const request = new Request(this.url + path, { method: 'POST', body, headers });
    const answer = (await (await this.mock.fetch(request)).json()) as Members;
    if (answer['error'] === undefined || ASKING.includes(String(answer['error']))) return answer;
    throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
  }
}

/** Both mocks, the service in each dialect that has pages of its own, on one clock that moves when told. */
export class World {
  readonly clock = new FakeClock(Date.UTC(2026, 0, 5, 9, 30));
  readonly issuer = new FakeProvider(this.clock);
  readonly #places: Place[] = [];
  readonly #used = new Set<{ readonly mock: Mock }>();

  static async start(): Promise<World> {
    const world = new World();
    await world.issuer.addKey('key-1');
    await world.#serveServices();
    await world.#serveProvider();
    return world;
  }

  /** The code is shown by the agent and typed on the page. */
  get service(): Place {
    return this.#at(0);
  }
  /** The code is shown on the page and read to the agent. */
  get readBack(): Place {
    return this.#at(1);
  }
  /** The code comes by mail. */
  get mailed(): Place {
    return this.#at(2);
  }
  /** Its name is as long as a name can be. */
  get longNamed(): Place {
    return this.#at(3);
  }
  get provider(): Place {
    return this.#at(4);
  }

  /** As it was in the beginning, but for the clock. What nobody has used since is so already. */
  async reset(): Promise<void> {
    for (const { mock } of this.#used) await mock.controls.reset();
    this.#used.clear();
  }

  async close(): Promise<void> {
    for (const place of this.#places) await place.close();
  }

  #at(index: number): Place {
    const place = this.#places[index];
    if (place === undefined) throw new Error('The world has not been started.');
    return place;
  }

  async #serveServices(): Promise<void> {
    const trust = [{ issuer: PROVIDER, name: 'Example Provider' }];
    const parts = { clock: this.clock, random: new SeededRandom(), log: silentLog, trust };
    for (const options of [
      { name: 'Tern Notes' },
      { name: 'Tern Notes', dialect: 'nested' },
      { name: 'Tern Notes', dialect: 'first' },
      { name: `<b>${'Notes'.repeat(101)}</b>` },
    ] satisfies Partial<MockServiceOptions>[]) {
      await this.#serve((baseUrl) =>
        createMockService({ ...parts, ...options, baseUrl, fetch: this.issuer.fetch }),
      );
    }
  }

  /** No service can be notified by it: what that leads to is shown on a page. */
  async #serveProvider(): Promise<void> {
    const refusing: Fetch = async () =>
      Response.json(
        { err: 'access_denied', description: `<b>not</b> ${'here'.repeat(2_500)}` },
        { status: 400 },
      );
    await this.#serve((baseUrl) =>
      createMockProvider({
        baseUrl,
        clock: this.clock,
        random: new SeededRandom(2),
        log: silentLog,
        fetch: refusing,
        name: 'Heron ID',
        clientName: 'Cleo',
        audiences: [
          {
            issuer: this.service.url,
            name: 'Tern Notes',
          },
        ],
      }),
    );
  }

  async #serve(build: (baseUrl: string) => Promise<Mock>): Promise<void> {
    let mock: Mock | undefined;
    const used = this.#used;
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async (origin) => {
        const made = await build(origin);
        const fetch = (request: Request) => {
          used.add(noted);
          return made.fetch(request);
        };
        const noted = { mock: made };
        mock = { controls: made.controls, close: () => made.close(), fetch };
        return fetch;
      },
    });
    if (mock === undefined) throw new Error('The server was not given an application.');
    this.#places.push(new Place(served.origin, mock, () => served.close()));
  }
}
