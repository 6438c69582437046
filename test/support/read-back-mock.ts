import {
  createMockService,
  type MockService,
  type MockServiceOptions,
} from '../../src/mock-service/index.ts';
import { type Clock, NetworkError, SeededRandom, silentLog } from '../../src/runtime/index.ts';

/** A mock service whose user reads a code back to the agent, with that user at hand. */
export class ReadBackMock {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly #service: MockService;

  private constructor(service: MockService) {
    this.#service = service;
    this.fetch = async (request) => service.fetch(request);
  }

  /** `nested`: the page gives the code once it is confirmed. `first`: the code is mailed. */
  static async start(
    options: Pick<MockServiceOptions, 'baseUrl' | 'metadata'> & {
      readonly dialect: 'nested' | 'first';
      readonly clock: Clock;
    },
  ): Promise<ReadBackMock> {
    return new ReadBackMock(
      await createMockService({
        ...options,
        random: new SeededRandom(3),
        fetch: () => Promise.reject(new NetworkError('refused', 'It trusts no provider.')),
        log: silentLog,
      }),
    );
  }

  /** What the user does on the page of the newest claim; resolves to the code that it then shows. */
  async confirm(): Promise<string> {
    const { userCode = '' } = await this.#service.controls.complete(await this.#newest());
    return userCode;
  }

  async deny(): Promise<void> {
    await this.#service.controls.deny(await this.#newest());
  }

  async mailed(): Promise<string> {
    const [mail] = await this.#service.controls.mails();
    return mail?.userCode ?? '';
  }

  async #newest(): Promise<string> {
    const [{ facts } = { facts: { id: '' } }] = await this.#service.controls.registrations();
    return facts.id;
  }
}

/** Another code of the same form. */
export function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111';
}
