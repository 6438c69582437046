import { useEffect, useReducer } from 'preact/hooks';
import type { LiveEvents } from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { after, every, statusOf, ticks } from '../browser.ts';
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

/** How long to wait before the next try, in milliseconds. */
const AGAIN = 1_500;

/** Follows the stream, and takes it up again where it broke off. @returns ends it. */
function connect(tell: (told: Told) => void): () => void {
  let latest = 0;
  let end = () => {};
  const open = () => {
    const source = new EventSource(`${LIVE_PATHS.events}?since=${latest}`);
    end = () => source.close();
    const on = <Name extends keyof LiveEvents>(
      name: Name,
      read: (data: LiveEvents[Name], id: string) => Told,
    ) =>
      source.addEventListener(name, (event: MessageEvent<string>) =>
        tell(read(JSON.parse(event.data) as LiveEvents[Name], event.lastEventId)),
      );
    source.addEventListener('open', () => tell({ kind: 'connection', connection: 'open' }));
    source.addEventListener('error', () => {
      tell({ kind: 'connection', connection: 'reconnecting' });
      // It comes back by itself, unless it was refused.
      if (source.readyState === EventSource.CLOSED) void retry();
    });
    on('exchanges', (exchanges, id) => {
      latest = Number(id) || latest;
      return { kind: 'exchanges', exchanges };
    });
    on('dropped', ({ count }) => ({ kind: 'dropped', count }));
    on('snapshot', (snapshot) => ({ kind: 'snapshot', snapshot, at: ticks() }));
  };
  const retry = async () => {
    const status = await statusOf(LIVE_PATHS.events);
    if (status === 401) tell({ kind: 'connection', connection: 'over' });
    else end = after(AGAIN, open);
  };
  open();
  return () => end();
}
