/** The `status` of a claim that is complete: `claimed` is the reference's, services write the others. */
export const CLAIM_DONE: ReadonlySet<unknown> = new Set([
  'claimed',
  'completed',
  'complete',
  'verified',
]);
