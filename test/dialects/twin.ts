import {
  Agent,
  type AgentOptions,
  type Ceremony,
  createMemoryStore,
} from '../../src/agent/index.ts';
import type { ClaimOutcome, RegisterOutcome } from '../../src/agent/outcomes.ts';
import type { Database } from '../../src/mock/store/database.ts';
import type { DialectId, QuirkName } from '../../src/mock-service/index.ts';
import {
  type Fetch,
  fakeSleep,
  NetworkError,
  Secret,
  SeededRandom,
  silentLog,
} from '../../src/runtime/index.ts';
import { type Exchange, recorder } from '../contract/recorder.ts';
import { BASE, Harness, PROVIDER } from '../mock-service/harness.ts';
import { ed25519Key } from '../support/ed25519.ts';
import { type FetchHandler, type Page, TestUser } from '../support/test-user.ts';

export const ALICE = 'alice@example.com';

/** What a twin speaks: a dialect of the mock, with quirks, and what an agent is told beforehand. */
export interface TwinDialect {
  readonly dialect?: string;
  readonly quirks?: readonly string[];
  /** Members that the service demands. */
  readonly members?: Readonly<Record<string, string>>;
}

/**
 * The agent and the mock service, face to face in one process: real requests and answers, a clock that
 * stands still unless it is moved, keys and randomness that repeat.
 */
export class Twin {
  readonly harness: Harness;
  readonly agent: Agent;
  /** What the agent is made of, for another door to it. */
  readonly options: AgentOptions;
  /** To the service, as one would go who is no agent. */
  readonly fetch: FetchHandler;
  readonly exchanges: readonly Exchange[];
  /** The one browser of the service's user. */
  readonly alice: TestUser;
  readonly #dialect: TwinDialect;
  #meanwhile: (() => Promise<unknown>) | undefined;

  private constructor(harness: Harness, choice: TwinDialect, door: FetchHandler) {
    this.harness = harness;
    this.#dialect = choice;
    const recorded = recorder(door);
    this.fetch = recorded.fetch;
    this.exchanges = recorded.exchanges;
    this.alice = new TestUser(recorded.fetch);
    const { clock } = harness;
    const fetch: Fetch = async (url, init = {}) => {
      if (!url.startsWith(BASE)) throw new NetworkError('not_found', 'The host name is unknown.');
      const { method, headers, body } = init;
      return recorded.fetch(
        new Request(url, {
          ...(method !== undefined && { method }),
          ...(headers !== undefined && { headers }),
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : new Uint8Array(body),
          }),
          redirect: 'manual',
        }),
      );
    };
    this.options = {
      fetch,
      clock,
      sleep: fakeSleep(clock, async () => {
        const act = this.#meanwhile;
        this.#meanwhile = undefined;
        await act?.();
      }),
      random: new SeededRandom(7),
      log: silentLog,
      store: createMemoryStore(),
    };
    this.agent = new Agent(this.options);
  }

  static async start(choice: TwinDialect, db?: Database): Promise<Twin> {
    const { dialect, quirks } = choice;
    const harness = await Harness.start({
      ...(db && { db }),
      keys: [ed25519Key('mock service')],
      algorithm: 'EdDSA',
      users: [{ email: 'known@example.com' }],
      trust: [{ issuer: PROVIDER, name: 'Example Provider' }],
      ...(dialect !== undefined && { dialect: dialect as DialectId }),
      ...(quirks !== undefined && { quirks: quirks as readonly QuirkName[] }),
    });
    await harness.provider.useKey(ed25519Key('fake provider'));
    return new Twin(harness, choice, (request) => harness.service.fetch(request));
  }

  /** The same service with an agent and a user who come to it by another way. */
  through(door: FetchHandler): Twin {
    return new Twin(this.harness, this.#dialect, door);
  }

  register(
    who:
      | { readonly type: 'anonymous' }
      | { readonly type: 'service_auth'; readonly loginHint: string }
      | { readonly type: 'identity_assertion'; readonly assertion: Secret },
  ): Promise<RegisterOutcome> {
    const { members } = this.#dialect;
    return this.agent.register({ service: BASE, ...(members && { members }), ...who });
  }

  async idJag(email = ALICE): Promise<Secret> {
    return new Secret(await this.harness.provider.idJag({ email }));
  }

  /** The user agrees, and the agent finishes the claim, whichever way its code goes. */
  async approve(ceremony: Ceremony, email = ALICE): Promise<ClaimOutcome> {
    if (ceremony.kind === 'type_there') {
      this.meanwhile(() =>
        this.typeCode(ceremony.verificationUri, ceremony.userCode.reveal(), email),
      );
      return this.agent.waitForClaim();
    }
    return this.handIn(await this.codeFor(ceremony, email));
  }

  /** Done while the agent next waits. */
  meanwhile(act: () => Promise<unknown>): void {
    this.#meanwhile = act;
  }

  /** The user types the agent's code on its page. */
  async typeCode(page: string, code: string, email = ALICE): Promise<Page> {
    const opened = await this.alice.openSignedIn(page, email);
    return submitClaim(this.alice, opened, { user_code: code, decision: 'approve' });
  }

  /** Hands in a code that was read back; what is not an end is a failure of the test. */
  async handIn(code: string): Promise<ClaimOutcome> {
    const outcome = await this.agent.submitCode({ code: new Secret(code) });
    if (outcome.status === 'not_confirmed' || outcome.status === 'wrong_code') {
      throw new Error(`The code was not taken: ${outcome.status}.`);
    }
    return outcome;
  }

  /** The code that the user reads back, from the page after confirming there, or from the mail. */
  async codeFor(
    ceremony: Extract<Ceremony, { readonly kind: 'read_back' }>,
    email = ALICE,
  ): Promise<string> {
    if (ceremony.verificationUri === null) {
      const [mail] = await this.harness.service.controls.mails({ to: email });
      return codeIn(mail?.text ?? '');
    }
    const page = await this.alice.openSignedIn(ceremony.verificationUri, email);
    const shown = await submitClaim(this.alice, page, { decision: 'approve' });
    return codeIn(shown.text);
  }

  /** The user presses Deny, on the page of the claim or on the one that its mail leads to. */
  async deny(ceremony: Ceremony, email = ALICE): Promise<void> {
    const link = ceremony.verificationUri ?? (await this.linkInMail(email));
    const page = await this.alice.openSignedIn(link, email);
    await submitClaim(this.alice, page, { decision: 'deny' });
  }

  async linkInMail(email: string): Promise<string> {
    const [mail] = await this.harness.service.controls.mails({ to: email });
    const [link] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? [];
    if (link === undefined) throw new Error(`No link in the mail: ${mail?.text}`);
    return link;
  }

  /** What went over the wire, as the mock recorded it. */
  async recorded() {
    return (await this.harness.service.controls.exchanges()).exchanges;
  }

  secret(text: string): Secret {
    return new Secret(text);
  }

  close(): Promise<void> {
    return this.harness.service.close();
  }
}

/** Submits the page's form about the claim, whatever its action. */
function submitClaim(
  user: TestUser,
  page: Page,
  fields: Readonly<Record<string, string>>,
): Promise<Page> {
  const form = page.document
    .querySelectorAll('form')
    .find((one) => one.querySelector('[name="claim_attempt_token"]') !== null);
  const action = form?.getAttribute('action');
  if (action == null) throw new Error(`No form about a claim on the page: ${page.text}`);
  return user.submit(page, action, fields);
}

/** Six digits, in a row or in two groups. */
function codeIn(text: string): string {
  const [code] = /\b\d{3}[ -]?\d{3}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`No code in: ${text}`);
  return code;
}
