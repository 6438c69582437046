import { normalizeUserCode } from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import type { ClaimGrant } from '../dialects/dialect.ts';
import { readCompletion } from '../dialects/read-claim.ts';
import { codeRequests } from '../dialects/requests.ts';
import { writtenIn } from '../dialects/written-in.ts';
import { reachService } from '../discovery/reach-service.ts';
import type { WireRequest } from '../http/peer.ts';
import { isLoss, mayHaveArrived } from '../http/send-patiently.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import type { ReadBackAttempt, Registration } from '../model.ts';
import type {
  ClaimOpen,
  ClaimOutcome,
  CodeRefused,
  ResumeClaimOutcome,
  SubmitCodeOutcome,
} from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import type { AtClaim } from '../records/at-service.ts';
import { readBackOf } from '../records/ceremony-of.ts';
import { type InUse, takeIntoUse } from '../records/in-use.ts';
import { ask } from '../records/keep-answer.ts';
import type { AskForCode, SubmitCodeRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { claimNotStarted, closedClaim, codeForPage, noClaim } from './no-claim.ts';
import { collect, settleAlready } from './poll-claim.ts';
import { settleClaimed, settleOver, settlePoll, settleRevoked } from './settle-claim.ts';

/** A claim whose code the user has. */
interface Handover extends AtClaim, InUse {
  readonly attempt: ReadBackAttempt;
}

type Claimed = Extract<ClaimOutcome, { readonly status: 'claimed' }>;

export async function submitCode(
  tools: Tools,
  request: SubmitCodeRequest,
): Promise<SubmitCodeOutcome> {
  const code = readCode(request.code);
  const inUse = await takeIntoUse(tools, request.service);
  const { record, registration } = inUse;
  const { claim } = registration;
  if (claim === null) return closedClaim(registration);
  const { attempt } = claim;
  if (attempt === null) throw claimNotStarted();
  if (attempt.kind === 'type_there') throw codeForPage();
  // An answer of the service ended it. The clock alone ends nothing: the service decides.
  if (attempt.ended !== null) {
    return { status: attempt.ended === 'denied' ? 'denied' : 'attempt_expired', registration };
  }
  // Checked first: what a claim gives is given once.
  await tools.store.probeWritable();
  const service = await reachService(tools, record);
  const handover = { tools, ...inUse, service, claim, attempt };
  const result = await send(handover, code);
  return result.kind === 'accepted'
    ? settleAccepted(handover, result.grant)
    : settleProblem(handover, result.problem);
}

/**
 * The code as the user read it, without what a page adds to make a code readable (RFC 8628 §6.1): spaces, and dashes
 * between digits. A dash between letters may be the code's own, and so may their case.
 * @throws AgentError `bad_code`.
 */
export function readCode(given: Secret): Secret {
  const code = given
    .reveal()
    .replace(/\s/gu, '')
    .replace(/\p{Pd}/gu, '-');
  const bare = normalizeUserCode(code);
  if (!/^[\x21-\x7e]{1,64}$/.test(code) || bare === '') {
    throw new AgentError('The code is empty or holds characters that no code has.', {
      code: 'bad_code',
      hint: 'Hand in the code as the page or the mail shows it, and nothing else.',
    });
  }
  return new Secret(/^\d+$/.test(bare) ? bare : code);
}

type Sent =
  | { readonly kind: 'accepted'; readonly grant: ClaimGrant }
  | { readonly kind: 'problem'; readonly problem: Problem };

async function send(handover: Handover, code: Secret): Promise<Sent> {
  const { tools, service, claim, attempt, registration } = handover;
  const { id: registrationId, dialect, members } = registration;
  const url = codeUrl(handover);
  const [body, other] = codeRequests(dialect, url, claim.token, code, attempt);
  // Sent once: what it gives is delivered once, and a code counts each time that it is tried.
  const post = (request: WireRequest): Promise<Sent> =>
    ask(tools, service, {
      request,
      members,
      origin: { of: 'claimed', registrationId },
      read: (answer) => {
        const problem = readProblem(answer, 'read_back');
        if (problem !== undefined) return { kind: 'problem', problem: withoutCode(problem, code) };
        // The last answer shows what the service speaks, to whatever it was.
        const written = writtenIn(answer, [dialect]);
        return { kind: 'accepted', grant: { ...readCompletion(answer), dialect: written } };
      },
    });
  try {
    const sent = await post(body);
    // A body of another family is tried once, where this one was not understood.
    const isOther = sent.kind === 'problem' && sent.problem.code === 'invalid_request';
    return isOther ? await post(other) : sent;
  } catch (error) {
    throw isLoss(error) && mayHaveArrived(error) ? codeLost(error) : error;
  }
}

/** A service may quote what it was sent, and an error carries no code. */
function withoutCode(problem: Problem, code: Secret): Problem {
  const { description } = problem;
  return { ...problem, description: description?.replaceAll(code.reveal(), '…') };
}

/** Where nothing names the place, it is below the claim's (reference, `claim/complete`). */
function codeUrl({ tools, service, claim, attempt }: Handover): string {
  const start = claim.url ?? service.claimEndpoint;
  const named = attempt.submitUrl ?? service.codeEndpoint ?? (start && below(start, 'complete'));
  if (!named) {
    throw new AgentError('The service does not say where the code is handed in.', {
      code: 'not_offered',
    });
  }
  return requireEndpoint(tools.policy, service.issuer, named, 'Where the code is handed in');
}

function below(url: string, name: string): string {
  if (!URL.canParse(url)) return url;
  const { href, pathname } = new URL(url);
  return new URL(`${pathname.replace(/\/$/, '')}/${name}`, href).href;
}

/** The claim may be complete there. The same code tells: taken before, it is answered so. */
function codeLost(error: AgentError): AgentError {
  const isKept = error.next?.command === 'status';
  return error.with({
    hint: 'The code may have been taken all the same. Hand it in again: the answer tells.',
    ...(!isKept && { next: { command: 'claim', args: ['--code', 'CODE'] } }),
  });
}

/** What a claim gives is stored, else collected where it waits. */
async function settleAccepted(handover: Handover, grant: ClaimGrant): Promise<Claimed> {
  const { registration } = handover;
  const gives = grant.assertion !== null || grant.token !== null;
  if (gives) {
    return settleClaimed(handover, grant).catch((error) => {
      throw notStored(registration, error);
    });
  }
  const polled = await collect(handover);
  if (polled?.status === 'claimed') return polled;
  if (polled === undefined || hasOwn(registration)) {
    return settleClaimed(handover, grant);
  }
  throw new AgentError('The service took the code, but does not give anything for it yet.', {
    code: 'claim_pending',
    hint: 'Hand in the same code again in a moment.',
    next: { command: 'claim', args: ['--code', 'CODE'] },
  });
}

/**
 * The error of a credential that could not be stored: a service gives it once, so it is lost. Any other failure came
 * after it was stored.
 */
function notStored({ id }: Registration, error: unknown): unknown {
  if (!(error instanceof AgentError) || !error.code.startsWith('credentials_')) return error;
  return error.with({
    message: `The claim of ${id} is complete, but what the service gave for it, once, could not be stored: ${error.message}`,
    hint: 'Make the file writable, then register again.',
    next: undefined,
    cause: error,
  });
}

/** Whether it has something that may reach further after the claim. */
function hasOwn({ assertion, token }: Registration): boolean {
  return assertion !== null || token?.direct === true;
}

async function settleProblem(handover: Handover, problem: Problem): Promise<SubmitCodeOutcome> {
  const { tools, registration, attempt, peer } = handover;
  const ceremony = () => readBackOf(attempt, registration, peer.now());
  switch (problem.code) {
    case 'claim_not_confirmed':
      return { status: 'not_confirmed', registration, ceremony: ceremony() };
    case 'invalid_user_code': {
      const { attemptsRemaining } = problem;
      const isLast = attemptsRemaining === 0;
      const over = isLast && (await settlePoll(handover, { kind: 'expired' }));
      return {
        status: 'wrong_code',
        registration: over ? over.registration : registration,
        ceremony: ceremony(),
        attemptsRemaining,
      };
    }
    case 'claim_attempt_expired':
    case 'too_many_attempts':
      return settlePoll(handover, { kind: 'expired' });
    case 'access_denied':
      return settlePoll(handover, { kind: 'denied' });
    case 'claim_expired':
      return settleOver(tools, registration);
    case 'invalid_claim_token':
      return settleRevoked(tools, registration);
    case 'already_claimed':
      return settleAlready(handover);
    default:
      throw problemError(problem);
  }
}

interface ByCode {
  readonly ask: AskForCode;
  readonly submit: (code: Secret) => Promise<SubmitCodeOutcome>;
  /** What is stored of the claim, by the server's time. */
  readonly resume: () => Promise<ResumeClaimOutcome>;
}

/** Asks for the code and hands it in, until the claim or its attempt has ended, or nobody has a code. */
export async function claimByCode(
  open: ClaimOpen,
  { ask, submit, resume }: ByCode,
): Promise<ClaimOutcome> {
  let shown = open;
  let refused: CodeRefused | undefined;
  try {
    for (;;) {
      const code = await ask(shown, refused);
      if (code === undefined) return standing(await resume());
      const outcome = await submit(code);
      if (outcome.status !== 'not_confirmed' && outcome.status !== 'wrong_code') return outcome;
      const { registration, ceremony } = outcome;
      const isLast = outcome.status === 'wrong_code' && outcome.attemptsRemaining === 0;
      if (isLast) return { status: 'attempt_expired', registration };
      refused = outcome;
      shown = { ...shown, registration, ceremony };
    }
  } catch (error) {
    // Wherever the signal comes, it ends the wait and not the claim.
    if (!(error instanceof AgentError) || error.code !== 'aborted') throw error;
    return { status: 'aborted', registration: shown.registration };
  }
}

/** Nobody has a code: the claim waits on, or has ended meanwhile. */
function standing(known: ResumeClaimOutcome): ClaimOutcome {
  const { registration } = known;
  switch (known.status) {
    case 'open':
      return { status: 'pending', registration, ceremony: known.ceremony };
    case 'already_claimed': {
      const { token } = registration;
      if (token === null) throw noClaim(registration);
      return { status: 'claimed', registration, token, warnings: [] };
    }
    case 'not_started':
      return { status: 'attempt_expired', registration };
    default:
      return { status: known.status, registration };
  }
}
