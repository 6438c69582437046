import { useCallback, useState } from 'preact/hooks';
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
  const acting: Act = useCallback(async (name, given) => {
    setBusy(true);
    setResult(undefined);
    const came = await act(name, given);
    setBusy(false);
    setResult(came);
    return came;
  }, []);
  const forget = useCallback(() => setResult(undefined), []);
  return { act: acting, result, isBusy, forget };
}
