import { isJsonObject } from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { keepAnswer } from '../credentials/change-credentials.ts';
import { type OwnMembers, withMembers } from '../dialects/own-members.ts';
import { type Answer, KEPT_LIMIT, LostAnswer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import type { KeptAnswer, Service } from '../model.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';

/** Whose answer it is, and to what. */
type Origin = Pick<KeptAnswer, 'issuer' | 'resource' | 'of'> &
  Partial<Pick<KeptAnswer, 'type' | 'email' | 'provider' | 'subject' | 'registrationId'>> & {
    readonly name?: string | null | undefined;
  };

/** One request to a service, and how its answer is judged. */
interface Question<T> {
  readonly request: WireRequest;
  /** Members that the service demands of every request. */
  readonly members: OwnMembers | undefined;
  readonly origin: Omit<Origin, 'issuer' | 'resource' | 'name'>;
  /** Sent again after a 5xx, or after a lost answer too. Left out: sent once. */
  readonly again?: 'after_5xx' | 'after_loss';
  /** How an answer began that was lost is not kept, as something else is tried. */
  readonly isTriedAgain?: boolean;
  readonly read: (answer: Answer) => T;
  /** Whether what was read is a refusal: a success may carry an error beside what it gives. */
  readonly isRefusal?: (result: T) => boolean;
}

/**
 * Asks a service and reads the answer. A success that cannot be understood, or does not end, is kept in the store,
 * so that what the service gave is not lost.
 * @throws AgentError as sending and reading do.
 */
export async function ask<T>(tools: Tools, service: Service, question: Question<T>): Promise<T> {
  const { issuer, resource, name } = service;
  const { again, isTriedAgain, read, isRefusal } = question;
  const peer = peerOf(tools, issuer);
  const request = withMembers(question.request, question.members);
  const origin = { issuer, resource, name, ...question.origin };
  const sent =
    again === undefined
      ? peer.send(request, tools.signal)
      : sendPatiently(tools, peer, request, { repeatAfterLoss: again === 'after_loss' });
  const answer = await sent.catch(async (error: unknown) => {
    // What was asked for may be done there.
    throw error instanceof LostAnswer && !isTriedAgain
      ? await kept(tools, error.begun, origin, error)
      : error;
  });
  return readOrKeep(tools, answer, origin, () => read(answer), isRefusal);
}

/**
 * Reads an answer; a success that cannot be understood is kept, and the error names its members and their types.
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
    const isRefused = error instanceof AgentError && error.problem !== undefined;
    throw isWorthKeeping(answer, isRefused) ? await kept(tools, answer, origin, error) : error;
  }
  // The caller gets the refusal, whether a copy of it could be kept or not.
  if (isRefusal(result) && isWorthKeeping(answer, true)) {
    await kept(tools, answer, origin, undefined);
  }
  return result;
}

/** A success, or another answer that holds what a later request needs; a mere refusal is not kept. */
function isWorthKeeping(answer: Answer, isRefused: boolean): boolean {
  const { body, status } = answer;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !isRefused) return true;
  const holdsGrant = body.ok && GIVEN.some((name) => name in body.json);
  return holdsGrant && (isSuccess || (!isRefused && status >= 400));
}

/** The members by which a service gives something, of whatever type, in whichever dialect; the last is a provider's. */
const GIVEN = [
  'identity_assertion',
  'identity',
  'claim_token',
  'claim',
  'access_token',
  'credential',
  'api_key',
  'id_token',
];

/** Keeps an answer; the error names it, or says why it could not be kept. */
async function kept(
  tools: Tools,
  answer: Answer,
  origin: Origin,
  error: unknown,
): Promise<AgentError> {
  const one = keptAnswer(tools, answer, origin);
  let where = `The answer is kept as ${one.id} (${tools.store.location}).`;
  try {
    await changeStore(tools, (current) => keepAnswer(current, one));
  } catch (failure) {
    where = `It could not be kept: ${messageOf(failure)}`;
  }
  return notUnderstood(error, one, where);
}

function keptAnswer({ context }: Tools, answer: Answer, origin: Origin): KeptAnswer {
  const { text = '', body, status } = answer;
  const bytes = new TextEncoder().encode(text);
  const isCut = !body.ok && (bytes.byteLength === KEPT_LIMIT || body.problem === 'broken_off');
  return {
    ...{ type: null, email: null, provider: null, subject: null, registrationId: null },
    ...origin,
    id: `kept_${Buffer.from(context.random.bytes(4)).toString('hex')}`,
    name: origin.name ?? null,
    keptAt: context.clock.now(),
    status,
    body: new Secret(new TextDecoder().decode(bytes.subarray(0, KEPT_LIMIT))),
    truncated: bytes.byteLength > KEPT_LIMIT || isCut,
    members: describeMembers(answer),
  };
}

/** What was asked for; an answer that is no JSON object may be the page of a captive portal, a 200 too. */
function whatItMeans({ of, members }: KeptAnswer): string {
  const is = members.length === 0 ? 'may be' : 'is';
  const meanings = {
    registration: `The agent ${is} registered there now, but cannot use the registration.`,
    claim: 'The service may have sent its user a link.',
    claimed: `The claim ${is} complete there, but what came cannot be used.`,
    token: 'What came cannot be used.',
    refresh: `The refresh token ${is} used up, and what came for it cannot be used.`,
    sign_in: `The sign-in ${is} completed, but cannot be used.`,
  } as const satisfies Record<KeptAnswer['of'], string>;
  return meanings[of];
}

function notUnderstood(error: unknown, one: KeptAnswer, where: string): AgentError {
  const { of, members } = one;
  const sent = members.length === 0 ? '' : ` It sent: ${members.join(', ')}.`;
  const known = error instanceof AgentError ? error : undefined;
  return new AgentError(`${messageOf(error)}${sent} ${whatItMeans(one)} ${where}`, {
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

const MOST = 30;

/**
 * The members of an answer and their types, for an error and a list: `claim: { user_code: number }`.
 * Never a value, and no name that may itself be one (an object can be keyed by tokens).
 */
function describeMembers({ body }: Pick<Answer, 'body'>): readonly string[] {
  return body.ok ? members(body.json, 2) : [];
}

function members(json: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const entries = Object.entries(json);
  const shown = entries
    .slice(0, MOST)
    .map(([name, value]) => `${nameOf(name)}: ${typeOf(value, depth)}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function nameOf(name: string): string {
  const isName = /^[A-Za-z_][\w.-]{0,39}$/.test(name) && !(name.length > 16 && /\d/.test(name));
  return isName ? name : `(a name of ${name.length} characters)`;
}

function typeOf(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (!isJsonObject(value)) return typeof value;
  const inner = depth > 1 ? members(value, depth - 1) : [];
  return inner.length === 0 ? 'object' : `{ ${inner.join(', ')} }`;
}
