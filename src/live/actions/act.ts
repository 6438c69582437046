import type { LiveActionName, LiveActionResult, LiveActions } from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { post } from '../browser.ts';

/** Does what a button says. @returns what is so now, or what went wrong. */
export type Act = <Name extends LiveActionName>(
  name: Name,
  given: LiveActions[Name],
) => Promise<LiveActionResult>;

export const act: Act = async (name, given) => {
  const answer = await post(`${LIVE_PATHS.actions}/${name}`, given);
  if (answer === undefined) return { ok: false, message: 'The mock does not answer.' };
  const { body, status } = answer;
  if (isResult(body)) return body;
  if (status === 401) {
    return { ok: false, message: 'The session is over. Open the view again: agent-auth mock open' };
  }
  return { ok: false, message: problemOf(body) ?? `The mock answered with ${status}.` };
};

function isResult(body: unknown): body is LiveActionResult {
  return (
    typeof body === 'object' &&
    body !== null &&
    'ok' in body &&
    typeof body.ok === 'boolean' &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

/** The description of a refused call: `{ error, error_description }`. */
function problemOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error_description' in body)) return undefined;
  return typeof body.error_description === 'string' ? body.error_description : undefined;
}
