import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import type { Visitor } from '../../pages/visitor.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ClaimPageSession, openClaimPage } from './claim-page-session.ts';

const JSON_HEADERS: HeaderList = [
  ['content-type', 'application/json'],
  ['accept', 'application/json'],
];

/** How a service that takes forms only answers JSON. */
const NOT_JSON = [404, 405, 406, 415];

/** A claim attempt that a page's script completes: `…/claim/complete` as JSON (wire.md §5). */
export class JsonCompletion {
  readonly #visitor: Visitor;
  readonly #endpoint: string;
  readonly #csrfToken: string | undefined;
  /** Of the attempt. */
  readonly attemptToken: string;
  /** Of the claim page. */
  readonly pageUrl: string;

  private constructor(
    visitor: Visitor,
    endpoint: string,
    csrfToken: string | undefined,
    attemptToken: string,
    pageUrl: string,
  ) {
    this.pageUrl = pageUrl;
    this.#visitor = visitor;
    this.#endpoint = endpoint;
    this.#csrfToken = csrfToken;
    this.attemptToken = attemptToken;
  }

  /**
   * In the session of the owner of an open claim.
   * @throws NotApplicable when its page does not show how the claim is completed.
   */
  static async open(
    world: ServiceWorld,
    claim: { readonly verificationUri: string },
    email: string,
  ): Promise<JsonCompletion> {
    const { form, page, visitor } = await ClaimPageSession.open(world, claim, email);
    const attemptToken = form.values['claim_attempt_token'];
    if (attemptToken === undefined) {
      throw new NotApplicable('The form of the claim page has no claim_attempt_token.');
    }
    return new JsonCompletion(
      visitor,
      form.action,
      form.values['csrf_token'],
      attemptToken,
      page.url,
    );
  }

  /** The same attempt, in the session of another user. */
  async of(
    world: ServiceWorld,
    claim: { readonly verificationUri: string },
    email: string,
  ): Promise<JsonCompletion> {
    const { page, visitor } = await openClaimPage(world, claim.verificationUri, email);
    const csrfToken = page.forms.map(({ values }) => values['csrf_token']).find(Boolean);
    return new JsonCompletion(visitor, this.#endpoint, csrfToken, this.attemptToken, this.pageUrl);
  }

  /** The same attempt, without a session. */
  ofNobody(world: ServiceWorld): JsonCompletion {
    return new JsonCompletion(
      world.visitor(),
      this.#endpoint,
      this.#csrfToken,
      this.attemptToken,
      this.pageUrl,
    );
  }

  /** With another attempt's token. */
  with(attemptToken: string): JsonCompletion {
    return new JsonCompletion(
      this.#visitor,
      this.#endpoint,
      this.#csrfToken,
      attemptToken,
      this.pageUrl,
    );
  }

  /** @throws NotApplicable when the first answer shows that no JSON is accepted. */
  static needJson({ mediaType, status }: Answer): void {
    if (NOT_JSON.includes(status) || mediaType !== 'application/json') {
      throw new NotApplicable(`The service takes no completion as JSON (${status}).`);
    }
  }

  submit(userCode: string): Promise<Answer> {
    return this.post({ user_code: userCode });
  }

  deny(): Promise<Answer> {
    return this.post({ decision: 'deny' });
  }

  post(members: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.#visitor.exchange(this.#endpoint, {
      headers: [
        ...JSON_HEADERS,
        ['origin', new URL(this.#endpoint).origin],
        ['sec-fetch-site', 'same-origin'],
        ...(this.#csrfToken === undefined ? [] : [['x-csrf-token', this.#csrfToken] as const]),
      ],
      body: JSON.stringify({
        claim_attempt_token: this.attemptToken,
        csrf_token: this.#csrfToken,
        ...members,
      }),
    });
  }

  /** The page, asked for as JSON. */
  read(): Promise<Answer> {
    return this.#visitor.exchange(this.pageUrl, { headers: [['accept', 'application/json']] });
  }
}
