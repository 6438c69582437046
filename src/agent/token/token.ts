import { MINUTE, SECOND } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Warning } from '../model.ts';
import type { TokenInUse } from '../outcomes.ts';
import { type InUse, type TokenCandidate, takeIntoUse } from '../records/in-use.ts';
import { isOver } from '../records/registration-state.ts';
import type { TokenRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { tokenSource } from './given-token.ts';

/** The time left with which the stored time of the server decides: no request asks for it. */
const PLENTY = 5 * MINUTE;

export async function token(tools: Tools, request: TokenRequest): Promise<TokenInUse> {
  const { environmentToken } = tools;
  const source =
    environmentToken === undefined || request.service !== undefined
      ? await tokenSource(tools, request.service)
      : // Shown to whoever asks; it is sent to nobody.
        { from: 'environment' as const, value: environmentToken };
  if (source.from === 'environment') {
    return {
      value: source.value,
      source: 'environment',
      scopes: null,
      expiresAt: null,
      remaining: null,
      fresh: false,
      warnings: [],
      registration: undefined,
    };
  }
  const inUse = await takeIntoUse(tools, request.service);
  const lasting = request.check || request.renew ? undefined : lastingToken(inUse);
  const candidate = lasting ?? (await checkedToken(tools, inUse, request));
  return ofStore(inUse, { ...candidate, warnings: [...source.warnings, ...candidate.warnings] });
}

/** The stored token, if it does not end soon. */
function lastingToken(inUse: InUse): TokenCandidate | undefined {
  const candidate = storedToken(inUse);
  if (candidate === undefined || isOver(candidate.token.expiresAt, inUse.peer.now() + PLENTY)) {
    return undefined;
  }
  return candidate;
}

/** The first token that is good by the time of its server now. */
async function checkedToken(
  tools: Tools,
  inUse: InUse,
  request: TokenRequest,
): Promise<TokenCandidate> {
  // Loaded when first needed: most tokens are good for longer.
  const { reachService } = await import('../discovery/reach-service.ts');
  try {
    await reachService(tools, inUse.record);
  } catch (error) {
    // Without the server's time the stored token is judged by the time it showed last.
    if (!(error instanceof AgentError) || error.kind !== 'network') throw error;
  }
  // The candidates never end without a token: they throw.
  return (await tokenCandidates(tools, inUse, request.renew).next()).value;
}

function ofStore({ peer }: InUse, candidate: TokenCandidate): TokenInUse {
  const { token, ...facts } = candidate;
  const { expiresAt } = token;
  const remaining = expiresAt === null ? null : expiresAt - peer.now();
  return { ...token, ...facts, source: 'store', remaining };
}

/**
 * Every token that a registration can come to, lightest first, each once (wire contract §6): the stored one,
 * one exchange, one use of a refresh token, one poll of an open claim, one fresh ID-JAG of a provider where the user
 * is signed in. Taking the next one means that the last was refused. It ends by throwing why none is left, so it never
 * loops, and never makes a new identity silently.
 */
export async function* tokenCandidates(
  tools: Tools,
  inUse: InUse,
  renew = false,
): AsyncGenerator<TokenCandidate, never> {
  const stored = storedToken(inUse, renew);
  if (stored !== undefined) yield stored;
  // Loaded when first needed: the stored token is what most calls take.
  const { furtherTokens } = await import('./further-tokens.ts');
  return yield* furtherTokens(tools, inUse);
}

/** A token this close to its end is not used: it may expire on the way. */
const MARGIN = 10 * SECOND;

/** The stored token, unless it is over by the time of its server as it was seen last. */
export function storedToken(
  { registration, peer }: InUse,
  renew = false,
): TokenCandidate | undefined {
  const { token } = registration;
  if (token === null || (renew && !token.direct)) return undefined;
  if (isOver(token.expiresAt, peer.now() + MARGIN)) return undefined;
  return { token, registration, fresh: false, warnings: renew ? [notRenewable()] : [] };
}

/** What the registration gave is all that it gives. */
function notRenewable(): Warning {
  return {
    code: 'not_renewable',
    message:
      'The token is the one that the registration gave: there is nothing to exchange for another.',
  };
}
