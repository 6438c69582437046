import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { challengeParameter } from '../../http/challenge.ts';
import type { HeaderList, Sending } from '../../http/http-client.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { WriteRequest } from '../write-request.ts';
import { fullAssertion } from './new-registration.ts';
import { approveClaim, openClaim } from './open-claim.ts';

/**
 * How a write without enough access was met. `unknown`: it was refused, and perhaps for another reason, such
 * as a body that the service does not read (415, 422) or a method that it does not have (405).
 */
export type WriteOutcome = 'taken' | 'refused' | 'unknown';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What most resources take, one of them, where nobody said what this one takes. */
const USUAL_BODIES: readonly WriteRequest['body'][] = [
  { type: JSON_TYPE, text: '{}' },
  { type: FORM_TYPE, text: '' },
  undefined,
];

/** Why writes were not judged: the same for all checks that need one. */
export const NO_WRITE =
  'No write at the protected URL was taken, so that a refusal of one says nothing: name one that the service takes with --write-request.';

/** Writes at a protected resource, and what shows that one was refused for want of access alone. */
export class Writes {
  readonly #world: ServiceWorld;
  /** What a write with full access was answered, by its description; undefined where there is none. */
  readonly #right = new Map<string, Promise<Answer | undefined>>();
  #tokens: Promise<readonly string[]> | undefined;

  constructor(world: ServiceWorld) {
    this.#world = world;
  }

  /** The writes to try: those that the run names; else of one method at the protected resource, the usual ones. */
  all(method: 'POST' | 'PUT' | 'PATCH' = 'POST'): readonly WriteRequest[] {
    const { writes } = this.#world;
    if (writes.length > 0) return method === 'POST' ? writes : [];
    const url = this.#world.client.protectedUrl();
    return USUAL_BODIES.map((body) => ({ method, url, body }));
  }

  /** @param token of the Authorization header; undefined: none is sent. */
  send(write: WriteRequest, token: string | undefined): Promise<Answer> {
    const { method, url, body } = write;
    const headers: HeaderList = [
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
      ...(body === undefined ? [] : [['content-type', body.type] as const]),
    ];
    const sending: Sending = { method, from: 'agent', headers };
    return this.#world.send(url, body === undefined ? sending : { ...sending, body: body.text });
  }

  /** What became of a write, by its answer and, where that may have another reason, by that of the right one. */
  async outcome(write: WriteRequest, answer: Answer): Promise<WriteOutcome> {
    if (answer.ok) return 'taken';
    if (answer.status === 401 || lacksScope(answer)) return 'refused';
    const right = await this.#withFullAccess(write);
    if (right === undefined || right.status >= 400) return 'unknown';
    return answer.status === right.status ? 'taken' : 'refused';
  }

  /** Whether it was refused for its body (400, 422), and is with full access too: the token was not looked at first. */
  async isJudgedByBody(write: WriteRequest, { status }: Answer): Promise<boolean> {
    if (status !== 400 && status !== 422) return false;
    return (await this.#withFullAccess(write))?.status === status;
  }

  #withFullAccess(write: WriteRequest): Promise<Answer | undefined> {
    const key = `${described(write)} ${write.url}`;
    const known = this.#right.get(key) ?? this.#sendWithFullAccess(write);
    this.#right.set(key, known);
    return known;
  }

  /** Sends it with the token that needs no user first; where it is too narrow, with that of a claimed registration. */
  async #sendWithFullAccess(write: WriteRequest): Promise<Answer | undefined> {
    this.#tokens ??= this.#widestTokens();
    let last: Answer | undefined;
    for (const token of await this.#tokens) {
      last = await this.send(write, token);
      if (last.status !== 401 && last.status !== 403) return last;
    }
    return last;
  }

  async #widestTokens(): Promise<readonly string[]> {
    const world = this.#world;
    const given = [
      async () => world.accessToken(await fullAssertion(world)),
      async () => {
        const { polled } = await approveClaim(world, await openClaim(world, world.userEmail()));
        return world.must(polled, 'access_token', 'a completed claim');
      },
    ];
    const tokens: string[] = [];
    for (const get of given) {
      try {
        tokens.push(await get());
      } catch (error) {
        // A service may offer one of the two alone.
        if (!(error instanceof CannotTest || error instanceof NotApplicable)) throw error;
      }
    }
    return tokens;
  }
}

/** Whether it says that a valid token is too narrow (RFC 6750 §3.1). */
function lacksScope(answer: Answer): boolean {
  const error = challengeParameter(answer.header('www-authenticate'), 'bearer', 'error');
  return answer.status === 403 && [error, answer.errorCode].includes('insufficient_scope');
}

/** `POST /api/notes as application/json`. */
export function described({ method, url, body }: WriteRequest): string {
  const { pathname } = new URL(url);
  return `${method} ${pathname}${body === undefined ? ' without a body' : ` as ${body.type}`}`;
}
