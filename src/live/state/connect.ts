import type { LiveEvents } from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { after, statusOf, ticks } from '../browser.ts';
import type { Told } from './view-state.ts';

/** What comes within this time is shown together, in milliseconds. */
const TOGETHER = 40;
/** How long to wait before the next try, in milliseconds. */
const AGAIN = 1_500;

/** Follows the stream, and takes it up again where it broke off. @returns ends it. */
export function connect(tell: (told: readonly Told[]) => void): () => void {
  let latest = 0;
  let source: EventSource | undefined;
  let isEnded = false;
  let waiting: Told[] = [];
  let cancel = () => {};
  let cancelRetry = () => {};

  const later = (told: Told) => {
    waiting.push(told);
    if (waiting.length > 1) return;
    cancel = after(TOGETHER, () => {
      const all = waiting;
      waiting = [];
      tell(all);
    });
  };
  const on = <Name extends keyof LiveEvents>(
    from: EventSource,
    name: Name,
    read: (data: LiveEvents[Name], id: string) => Told,
  ) => {
    from.addEventListener(name, (event: MessageEvent<string>) => {
      later(read(JSON.parse(event.data) as LiveEvents[Name], event.lastEventId));
    });
  };
  const open = () => {
    const from = new EventSource(`${LIVE_PATHS.events}?since=${latest}`);
    source = from;
    from.addEventListener('open', () => later({ kind: 'connection', connection: 'open' }));
    from.addEventListener('error', () => {
      later({ kind: 'connection', connection: 'reconnecting' });
      // It comes back by itself, unless it was refused.
      if (from.readyState === EventSource.CLOSED) void retry();
    });
    on(from, 'exchanges', (exchanges, id) => {
      latest = Number(id) || latest;
      return { kind: 'exchanges', exchanges };
    });
    on(from, 'dropped', ({ count }) => ({ kind: 'dropped', count }));
    on(from, 'snapshot', (snapshot) => ({ kind: 'snapshot', snapshot, at: ticks() }));
  };
  const retry = async () => {
    const status = await statusOf(LIVE_PATHS.events);
    if (isEnded) return;
    if (status === 401) later({ kind: 'connection', connection: 'over' });
    else cancelRetry = after(AGAIN, open);
  };

  open();
  return () => {
    isEnded = true;
    cancel();
    cancelRetry();
    source?.close();
  };
}
