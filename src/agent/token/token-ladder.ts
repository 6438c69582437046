import type { InUse } from '../records/in-use.ts';
import type { Tools } from '../tools.ts';
import type { LadderOptions, Rung } from './rung.ts';
import { storedToken } from './stored-token.ts';

/**
 * Every token that a registration can come to, lightest first, each once (wire contract §6): the stored one,
 * one exchange, one use of a refresh token, one poll of an open claim, one fresh ID-JAG of a provider where the user
 * is signed in. Taking the next one means that the last was refused. It ends by throwing why none is left, so it never
 * loops, and never makes a new identity silently.
 */
export async function* tokenLadder(
  tools: Tools,
  inUse: InUse,
  options: LadderOptions,
): AsyncGenerator<Rung, never> {
  const stored = storedToken(inUse, options);
  if (stored !== undefined) yield stored;
  // Loaded when first needed: the stored token is what most calls take.
  const { furtherTokens } = await import('./further-tokens.ts');
  return yield* furtherTokens(tools, inUse, options);
}
