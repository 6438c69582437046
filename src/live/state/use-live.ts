import { useEffect, useReducer } from 'preact/hooks';
import { every, ticks } from '../browser.ts';
import { connect } from './connect.ts';
import { EMPTY, next, type Told, type ViewState } from './view-state.ts';

/** All that was told so far, and what forgets the exchanges of it. */
export function useLive(): readonly [ViewState, (told: Told) => void] {
  const [state, tell] = useReducer(next, EMPTY);
  useEffect(() => connect(tell), []);
  return [state, tell];
}

/** What the mock's clock shows, a second at a time; undefined before it is known. */
export function useNow({ snapshot, snapshotAt }: ViewState): number | undefined {
  const [, tick] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => every(1_000, () => tick(undefined)), []);
  const [party] = snapshot?.parties ?? [];
  return party && Date.parse(party.now) + (ticks() - snapshotAt);
}
