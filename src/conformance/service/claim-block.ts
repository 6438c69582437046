import { type Answer, isObject } from '../http/answer.ts';
import { secondsLeft } from './told-end.ts';

/** A claim attempt, wherever a service puts it. */
export interface ClaimBlock {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds; undefined when the service does not say. */
  readonly expiresIn: number | undefined;
  readonly interval: number | undefined;
  /** The member with it; empty: the answer itself. */
  readonly at: string;
}

/**
 * The claim attempt of an answer. The specification names its two members and, for the claim endpoint,
 * not where they are: `claim_attempt`, `claim` or the answer itself are all read.
 */
export function readClaimBlock(answer: Answer): ClaimBlock | undefined {
  for (const at of ['claim', 'claim_attempt', '']) {
    const block = at === '' ? answer.json : answer.member(at);
    if (!isObject(block)) continue;
    const { user_code: userCode, verification_uri: verificationUri } = block;
    if (typeof userCode !== 'string' || typeof verificationUri !== 'string') continue;
    return {
      userCode,
      verificationUri,
      expiresIn: secondsLeft(block, dateOf(answer)),
      interval: seconds(block['interval']),
      at,
    };
  }
  return undefined;
}

/** The service's own time, when it says it. */
function dateOf(answer: Answer): number | undefined {
  const date = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
