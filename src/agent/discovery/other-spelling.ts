import { displayText, isLoopbackHost, isSameOrigin, urlProblem } from '../../protocol/index.ts';
import type { Step } from '../next-step.ts';

/**
 * What to type instead, when two URLs differ in how they name this machine alone, or in the path
 * behind one host; `undefined` when they are of two parties.
 */
export function otherSpelling(named: string, asked: string): OtherSpelling | undefined {
  if (urlProblem(named) !== undefined || urlProblem(asked) !== undefined) return undefined;
  if (isSameOrigin(named, asked)) return spelling(named);
  const its = new URL(named);
  const ours = new URL(asked);
  const isSamePlace =
    isLoopbackHost(its.hostname) &&
    isLoopbackHost(ours.hostname) &&
    its.protocol === ours.protocol &&
    its.port === ours.port;
  return isSamePlace ? spelling(its.origin) : undefined;
}

interface OtherSpelling {
  readonly hint: string;
  readonly next: Step;
}

function spelling(url: string): OtherSpelling {
  return {
    hint: `It calls itself ${displayText(url, 200)}: use that URL.`,
    next: { command: 'discover', args: [url] },
  };
}
