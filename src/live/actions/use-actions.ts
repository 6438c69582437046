import { useCallback, useRef, useState } from 'preact/hooks';
import type { LiveActionResult } from '../../mock/live/model.ts';
import { type Act, act } from './act.ts';

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
  const forget = useCallback(() => setResult(undefined), []);
  return { act: acting, result, isBusy, forget };
}
