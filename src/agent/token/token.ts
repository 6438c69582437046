import { AgentError } from '../agent-error.ts';
import { reachService } from '../discovery/reach-service.ts';
import type { TokenInUse } from '../outcomes.ts';
import { takeIntoUse } from '../records/in-use.ts';
import type { TokenRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { tokenLadder } from './token-ladder.ts';

export async function token(tools: Tools, request: TokenRequest): Promise<TokenInUse> {
  const { environmentToken } = tools;
  if (environmentToken !== undefined) {
    return {
      value: environmentToken,
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
  try {
    await reachService(tools, inUse.record, request.signal);
  } catch (error) {
    // Without the server's time the stored token is judged by the time it showed last.
    if (!(error instanceof AgentError) || error.kind !== 'network') throw error;
  }
  const ladder = tokenLadder(tools, inUse, request);
  // A ladder never ends without a token: it throws.
  const { value: rung } = await ladder.next();
  const { value, scopes, expiresAt, header } = rung.token;
  return {
    value,
    ...(header !== undefined && { header }),
    source: 'store',
    scopes,
    expiresAt,
    remaining: expiresAt === null ? null : expiresAt - inUse.peer.now(),
    fresh: rung.fresh,
    warnings: rung.warnings,
    registration: rung.registration,
  };
}
