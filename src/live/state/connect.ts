import type { LiveEvents } from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { after, statusOf, ticks } from '../browser.ts';
import type { Told } from './view-state.ts';

/** How long to wait before the next try, in milliseconds. */
const AGAIN = 1_500;

/** Follows the stream, and takes it up again where it broke off. @returns ends it. */
export function connect(tell: (told: Told) => void): () => void {
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
