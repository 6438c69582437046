import { useCallback, useRef, useState } from 'preact/hooks';
import type { LiveActionName, LiveActionResult, LiveActions } from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { post } from '../browser.ts';

/** Does what a button says. @returns what is so now, or what went wrong. */
type Act = <Name extends LiveActionName>(
  name: Name,
  given: LiveActions[Name],
) => Promise<LiveActionResult>;

export interface Actions {
  readonly act: Act;
  /** What the last button led to. */
  readonly result: LiveActionResult | undefined;
  /** Whether a button is still at work. */
  readonly isBusy: boolean;
  readonly forget: () => void;
}

/** The buttons: one at a time, each with what came of it. */
export function useActions(): Actions {
  const [result, setResult] = useState<LiveActionResult>();
  const [isBusy, setBusy] = useState(false);
  const atWork = useRef(false);
  const acting: Act = useCallback(async (name, given) => {
    // A button that is disabled meanwhile would lose the focus.
    if (atWork.current) return { ok: false, message: 'Another button is still at work.' };
    atWork.current = true;
    setBusy(true);
    setResult(undefined);
    const came = await act(name, given);
    atWork.current = false;
    setBusy(false);
    setResult(came);
    return came;
  }, []);
  return { act: acting, result, isBusy, forget: () => setResult(undefined) };
}

const act: Act = async (name, given) => {
  const answer = await post(`${LIVE_PATHS.actions}/${name}`, given);
  if (answer === undefined) return { ok: false, message: 'The mock does not answer.' };
  const { body, status } = answer;
  // That of a refused call: `{ error, error_description }`.
  const { error_description: problem, message } = (body ?? {}) as Partial<Record<string, string>>;
  if (status === 200 && message !== undefined) return { ok: true, message };
  if (status === 401) {
    return { ok: false, message: 'The session is over. Open the view again: agent-auth mock open' };
  }
  return { ok: false, message: problem ?? `The mock answered with ${status}.` };
};
