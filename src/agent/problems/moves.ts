import { entryOf } from '../../discovery/index.ts';
import type { AgentMove } from '../../protocol/index.ts';
import type { AgentSurface } from '../agent-error.ts';

/** Codes that only services have: there is no other name for them, but it is known what helps. */
const MOVES: Readonly<Partial<Record<AgentSurface, Readonly<Record<string, AgentMove>>>>> = {
  token: { insufficient_user_authentication: 'sign_in' },
  resource: { capability_requires_claim: 'claim' },
};

/** What to do about a code; `undefined` where that is not known. */
export function moveOf(surface: AgentSurface, code: string): AgentMove | undefined {
  if (code === 'rate_limited') return 'retry_later';
  const moves = MOVES[surface] ?? {};
  return entryOf(surface, code)?.next ?? (Object.hasOwn(moves, code) ? moves[code] : undefined);
}
