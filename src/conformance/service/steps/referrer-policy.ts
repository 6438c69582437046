import type { Answer } from '../../http/answer.ts';

/** The policies that send other origins neither path nor query (Referrer Policy §3). */
export const WITHOUT_PATH = [
  'no-referrer',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
];

const POLICIES = [...WITHOUT_PATH, 'unsafe-url', 'no-referrer-when-downgrade'];

/** The policy of a page: the last one that is known counts (Referrer Policy §11.1). */
export function referrerPolicy(answer: Answer): string | undefined {
  return (answer.header('referrer-policy') ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .findLast((token) => POLICIES.includes(token));
}
