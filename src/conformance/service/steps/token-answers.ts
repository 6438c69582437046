import type { Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';

/** A 4xx status, and no access token. */
export const noToken = (answer: Answer): Reading => ({
  ok: answer.refused && answer.string('access_token') === undefined,
});
