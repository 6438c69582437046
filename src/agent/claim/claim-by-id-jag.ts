import { AgentError, type Problem } from '../agent-error.ts';
import { backOff, isLoss, pause } from '../http/send-patiently.ts';
import type { Registration, Service } from '../model.ts';
import type { ConsentRequired, LoginRequired, Minted } from '../outcomes.ts';
import { problemError } from '../problems/problem-error.ts';
import { checkIdJag } from '../provider/check-id-jag.ts';
import { mintOnce } from '../provider/mint.ts';
import { peerOf, type Tools } from '../tools.ts';
import { readClaimEmail } from './claim-email.ts';
import type { Claimable } from './poll-claim.ts';
import { type AttemptResult, requestAttempt } from './request-attempt.ts';

const TRIES = 3;

/** What the service answered, and whom the ID-JAG names; `null`: nobody by an email address. */
interface Presented {
  readonly result: AttemptResult;
  readonly email: string | null;
}

/**
 * Claims with an ID-JAG that is minted for it: no code, no page (version 0.7). After a lost answer, or when the
 * service has seen or outlived it, a fresh one is minted: none is ever sent twice (wire contract §3).
 * @throws AgentError `login_needed` or `consent_needed` when the provider wants its user first.
 */
export async function claimByIdJag(
  tools: Tools,
  service: Service,
  claimable: Registration & Claimable,
  provider: string,
  signal: AbortSignal | undefined,
): Promise<Presented> {
  const { issuer: audience, resource } = service;
  for (let tries = 1; ; tries += 1) {
    const minted = await mintOnce(tools, { provider, audience, resource, signal });
    if (minted.status !== 'minted') throw userNeeded(minted, provider, service);
    try {
      const presented = await present(tools, service, claimable, minted, signal);
      const problem = presented.result.kind === 'problem' ? presented.result.problem : undefined;
      if (problem === undefined) return presented;
      if (problem.move === 'sign_in') throw signInAgain(problem, provider);
      if (problem.code === 'invalid_request') throw notByIdJag(problem);
      if (problem.move !== 'mint' || tries === TRIES) return presented;
    } catch (error) {
      if (!isLoss(error) || tries === TRIES) throw error;
    }
    await pause(tools.context, backOff(tools.context, tries), signal);
  }
}

async function present(
  tools: Tools,
  service: Service,
  claimable: Registration & Claimable,
  { assertion }: Minted,
  signal: AbortSignal | undefined,
): Promise<Presented> {
  const { email } = checkIdJag(assertion, service, peerOf(tools, service.issuer).now());
  // One for another user than the registration belongs to is not shown.
  readClaimEmail(claimable, email ?? undefined);
  const claimer = { by: 'identity_assertion', assertion } as const;
  const result = await requestAttempt(tools, service, claimable, claimer, signal);
  return { result, email };
}

function userNeeded(
  need: LoginRequired | ConsentRequired,
  provider: string,
  { issuer }: Service,
): AgentError {
  if (need.status === 'consent_required') {
    return new AgentError('The user has not agreed yet to be named to this service.', {
      code: 'consent_needed',
      hint: 'Let the user agree at the provider first, then claim again.',
      next: { command: 'provider consent', args: [provider, '--audience', issuer] },
    });
  }
  return need.askedBy === 'agent'
    ? new AgentError('The user is not signed in at the provider.', {
        code: 'login_needed',
        hint: 'Let the user sign in there, then claim again.',
        next: { command: 'provider login', args: [provider] },
      })
    : signInAgain(undefined, provider);
}

/** A browser that is signed in already would bring back the sign-in that was too old. */
function signInAgain(problem: Problem | undefined, provider: string): AgentError {
  return new AgentError('The sign-in at the provider is too old to claim with it.', {
    code: 'login_needed',
    hint: 'Let the user sign in at the provider again, then claim again.',
    next: { command: 'provider login', args: [provider, '--fresh'] },
    problem,
  });
}

/** A service of an earlier version, most likely: what it takes is an email address. */
function notByIdJag(problem: Problem): AgentError {
  return problemError(problem, { command: 'claim', args: ['--email', 'EMAIL'] }).with({
    hint: 'Perhaps the service takes no ID-JAG for a claim: name the email address of the user instead.',
  });
}
