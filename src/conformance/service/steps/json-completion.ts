import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { Visitor } from '../../pages/visitor.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ClaimPageSession } from './claim-page-session.ts';

const JSON_HEADERS: HeaderList = [
  ['content-type', 'application/json'],
  ['accept', 'application/json'],
];

/** Whether an answer is that of a service that takes forms only. */
function takesNoJson({ status }: Answer): boolean {
  return [404, 405, 406, 415].includes(status);
}

/** The token of a session, by whatever name a form sends it. */
interface CsrfToken {
  readonly name: string;
  readonly value: string;
}

function csrfOf(forms: readonly Pick<PageForm, 'values'>[]): CsrfToken | undefined {
  const [found] = forms
    .flatMap(({ values }) => Object.entries(values))
    .filter(([name, value]) => /csrf|xsrf|authenticity/i.test(name) && value !== '');
  return found && { name: found[0], value: found[1] };
}

/** What it takes to complete an attempt. */
interface CompletionParts {
  readonly visitor: Visitor;
  readonly endpoint: string;
  readonly csrf: CsrfToken | undefined;
  readonly attemptToken: string;
}

/** A claim attempt that a page's script completes: `…/claim/complete` as JSON (wire contract §5). */
export class JsonCompletion {
  readonly #parts: CompletionParts;

  private constructor(parts: CompletionParts) {
    this.#parts = parts;
  }

  /**
   * Opens the session of the owner of an open claim.
   * @throws NotApplicable when its page does not show how the claim is completed.
   */
  static async open(
    world: ServiceWorld,
    claim: { readonly verificationUri: string },
    email: string,
  ): Promise<JsonCompletion> {
    const { form, visitor } = await ClaimPageSession.open(world, claim, email);
    const { claim_attempt_token: attemptToken } = form.values;
    if (attemptToken === undefined) {
      throw new NotApplicable('The form of the claim page has no claim_attempt_token.');
    }
    const { action: endpoint } = form;
    const csrf = csrfOf([form]);
    return new JsonCompletion({ visitor, endpoint, csrf, attemptToken });
  }

  /** The same attempt, without a session. */
  withoutSession(world: ServiceWorld): JsonCompletion {
    return new JsonCompletion({ ...this.#parts, visitor: world.visitor() });
  }

  /** @throws NotApplicable when the first answer shows that no JSON is accepted. */
  needJson(answer: Answer): void {
    if (takesNoJson(answer) || answer.mediaType !== 'application/json') {
      throw new NotApplicable(`The service takes no completion as JSON (${answer.status}).`);
    }
    if (answer.status === 403 && this.#parts.csrf === undefined) {
      const reason = 'The service does not show what its anti-CSRF token is sent in as JSON';
      throw new NotApplicable(`${reason} (${answer.describe()}).`);
    }
  }

  submit(userCode: string): Promise<Answer> {
    return this.#post({ user_code: userCode });
  }

  deny(): Promise<Answer> {
    return this.#post({ decision: 'deny' });
  }

  #post(members: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { attemptToken, csrf, endpoint, visitor } = this.#parts;
    return visitor.exchange(endpoint, {
      headers: [
        ...JSON_HEADERS,
        ['origin', new URL(endpoint).origin],
        ['sec-fetch-site', 'same-origin'],
        ...(csrf === undefined ? [] : [['x-csrf-token', csrf.value] as const]),
      ],
      body: JSON.stringify({
        claim_attempt_token: attemptToken,
        ...(csrf !== undefined && { [csrf.name]: csrf.value }),
        ...members,
      }),
    });
  }
}
