import { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { keepAnswer } from '../credentials/change-credentials.ts';
import { gives } from '../dialects/gives.ts';
import { type Answer, KEPT_LIMIT } from '../http/answer.ts';
import { describeMembers } from '../http/describe-members.ts';
import { LostAnswer } from '../http/lost-answer.ts';
import type { KeptAnswer } from '../model.ts';
import type { Tools } from '../tools.ts';

/** Whose answer it is, and to what. */
export type Origin = Pick<KeptAnswer, 'issuer' | 'resource' | 'of'> & {
  readonly name?: string | null | undefined;
  readonly type?: KeptAnswer['type'];
  readonly email?: string | null;
  readonly provider?: string | null;
  readonly subject?: string | null;
  readonly registrationId?: string | null;
};

/**
 * Reads an answer; a success that cannot be understood is kept in the store, so that what the service gave
 * is not lost, and the error names its members and their types.
 * @param isRefusal whether what was read is a refusal: a success may carry an error beside what it gives.
 * @throws AgentError as `read` does.
 */
export async function readOrKeep<T>(
  tools: Tools,
  answer: Answer,
  origin: Origin,
  read: () => T,
  isRefusal: (result: T) => boolean = () => false,
): Promise<T> {
  let result: T;
  try {
    result = read();
  } catch (error) {
    if (!isWorthKeeping(answer, error)) throw error;
    throw await kept(tools, answer, origin, error);
  }
  if (isRefusal(result) && givesAll(answer)) {
    try {
      await keep(tools, keptAnswer(tools, answer, origin));
    } catch {
      // The caller gets the refusal, not the failure to keep a copy of it.
      tools.context.log.warn('answer not kept', { where: answer.where });
    }
  }
  return result;
}

/** Keeps an answer; the error names it, or says why it could not be kept. */
async function kept(
  tools: Tools,
  answer: Answer,
  origin: Origin,
  error: unknown,
): Promise<AgentError> {
  const one = keptAnswer(tools, answer, origin);
  try {
    await keep(tools, one);
  } catch (failure) {
    return notUnderstood(error, one, `It could not be kept: ${messageOf(failure)}`);
  }
  return notUnderstood(error, one, `The answer is kept as ${one.id} (${tools.store.location}).`);
}

function keep({ store }: Tools, one: KeptAnswer): Promise<unknown> {
  return store.update((current) => [keepAnswer(current, one), undefined]);
}

/**
 * Sends, and keeps how a success began that did not end: what was asked for may be done there.
 * @throws AgentError as `send` does.
 */
export async function keepIfLost<T>(
  tools: Tools,
  origin: Origin,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
    throw await kept(tools, error.begun, origin, error);
  }
}

/** A success, or another answer that holds what a later request needs; a mere refusal is not kept. */
function isWorthKeeping(answer: Answer, error: unknown): boolean {
  if (error instanceof AgentError && error.problem !== undefined) return givesAll(answer);
  return isSuccess(answer) || (answer.status >= 400 && holdsGrant(answer));
}

/** A success with an error that carries a grant all the same: not used, but not lost either. */
function givesAll(answer: Answer): boolean {
  return isSuccess(answer) && holdsGrant(answer);
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Whether it holds something of a service, or a sign-in of a provider. */
function holdsGrant({ body }: Answer): boolean {
  return body.ok && (gives(body.json) || 'id_token' in body.json);
}

function keptAnswer(tools: Tools, answer: Answer, origin: Origin): KeptAnswer {
  const { random, clock } = tools.context;
  const hex = [...random.bytes(4)].map((byte) => byte.toString(16).padStart(2, '0'));
  const { name = null, type = null, email = null, registrationId = null } = origin;
  const { provider = null, subject = null } = origin;
  const bytes = new TextEncoder().encode(answer.text ?? '');
  const truncated =
    bytes.byteLength > KEPT_LIMIT ||
    (!answer.body.ok && (bytes.byteLength === KEPT_LIMIT || answer.body.problem === 'broken_off'));
  return {
    id: `kept_${hex.join('')}`,
    issuer: origin.issuer,
    resource: origin.resource,
    of: origin.of,
    ...{ name, type, email, provider, subject, registrationId },
    keptAt: clock.now(),
    status: answer.status,
    body: new Secret(new TextDecoder().decode(bytes.subarray(0, KEPT_LIMIT))),
    truncated,
    members: describeMembers(answer),
  };
}

const WHAT_IT_MEANS = {
  registration: 'The agent is registered there now, but cannot use the registration.',
  claim: 'The service may have sent its user a link.',
  claimed: 'The claim is complete there, but what it gave cannot be used.',
  token: 'What the service gave cannot be used.',
  refresh: 'The refresh token is used up, and what the service gave for it cannot be used.',
  sign_in: 'The sign-in was completed, but cannot be used.',
} as const satisfies Record<KeptAnswer['of'], string>;

/** For an answer that is no JSON object: it may be the page of a captive portal, a 200 too. */
const WHAT_IT_MAY_MEAN = {
  registration: 'The agent may be registered there now, but cannot use the registration.',
  claim: 'The service may have sent its user a link.',
  claimed: 'The claim may be complete there, but what came cannot be used.',
  token: 'What came cannot be used.',
  refresh: 'The refresh token may be used up, and what came for it cannot be used.',
  sign_in: 'The sign-in may have been completed, but cannot be used.',
} as const satisfies Record<KeptAnswer['of'], string>;

function notUnderstood(error: unknown, { of, members }: KeptAnswer, where: string): AgentError {
  const sent = members.length === 0 ? '' : ` It sent: ${members.join(', ')}.`;
  const known = error instanceof AgentError ? error : undefined;
  const means = members.length === 0 ? WHAT_IT_MAY_MEAN[of] : WHAT_IT_MEANS[of];
  return new AgentError(`${messageOf(error)}${sent} ${means} ${where}`, {
    code: known?.code ?? 'bad_answer',
    // Trying again later is no help where it would make another one.
    kind: of === 'registration' && known instanceof LostAnswer ? 'failed' : known?.kind,
    problem: known?.problem,
    hint: of === 'registration' ? 'Do not register again.' : known?.hint,
    next: { command: 'status', args: [] },
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof AgentError ? error.message : 'Its answer could not be read.';
}
