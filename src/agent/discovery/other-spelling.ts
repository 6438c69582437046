import { addressProblem, isLoopbackHost } from '../../protocol/index.ts';

/** What to type instead, when two addresses differ in how they name this machine alone. */
export function otherSpelling(named: string, asked: string): string | undefined {
  if (addressProblem(named) !== undefined || addressProblem(asked) !== undefined) return undefined;
  const its = new URL(named);
  const ours = new URL(asked);
  const isSamePlace =
    isLoopbackHost(its.hostname) &&
    isLoopbackHost(ours.hostname) &&
    its.protocol === ours.protocol &&
    its.port === ours.port;
  return isSamePlace ? `It calls itself ${its.origin}: use that address.` : undefined;
}
