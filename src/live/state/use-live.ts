import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks';
import type {
  LiveActionName,
  LiveActionResult,
  LiveActions,
  LiveEvents,
} from '../../mock/live/model.ts';
import { LIVE_PATHS } from '../../mock/live/paths.ts';
import { after, every, post, statusOf, ticks } from '../browser.ts';
import { type Change, EMPTY, next, type ViewState, withExchanges } from './view-state.ts';

/** All that the page shows, and what changes it. */
export interface View {
  readonly state: ViewState;
  readonly tell: (change: Change) => void;
  /** Does what a button says, one at a time. @returns whether it was done. */
  readonly act: <Name extends LiveActionName>(
    name: Name,
    given: LiveActions[Name],
  ) => Promise<boolean>;
}

export const ViewContext = createContext<View | undefined>(undefined);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error('There is no view around this.');
  return view;
}

/** The view of the page, which follows the stream. */
export function useLive(): View {
  const [state, tell] = useReducer(next, EMPTY);
  const atWork = useRef(false);
  useEffect(() => connect(tell), []);
  const act: View['act'] = async (name, given) => {
    // A button that is disabled meanwhile would lose the focus.
    if (atWork.current) return false;
    atWork.current = true;
    tell({ isBusy: true, result: undefined });
    const result = await ask(name, given);
    atWork.current = false;
    tell({ isBusy: false, result });
    return result.ok;
  };
  return { state, tell, act };
}

async function ask(name: LiveActionName, given: unknown): Promise<LiveActionResult> {
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
}

/** What the mock's clock shows, a second at a time; undefined before it is known. */
export function useNow(): number | undefined {
  const { snapshot, snapshotAt } = useView().state;
  const [, tick] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => every(1_000, () => tick(undefined)), []);
  const [party] = snapshot?.parties ?? [];
  return party && Date.parse(party.now) + (ticks() - snapshotAt);
}

/** How long to wait before the next try, in milliseconds. */
const AGAIN = 1_500;
/** What comes within this time is drawn at once, in milliseconds: all that is kept comes in one burst. */
const BURST = 20;

/** Follows the stream as long as the page is there, and comes back to it where it broke off. */
function connect(tell: View['tell']): void {
  let burst: LiveEvents['exchange'][] = [];
  const draw = () => {
    tell(withExchanges(burst));
    burst = [];
  };
  const open = () => {
    const source = new EventSource(LIVE_PATHS.events);
    const on = <Name extends keyof LiveEvents>(
      name: Name,
      take: (data: LiveEvents[Name]) => void,
    ) => source.addEventListener(name, ({ data }: MessageEvent<string>) => take(JSON.parse(data)));
    // All that is kept is told again; what a reset has ended is not.
    source.addEventListener('open', () => {
      burst = [];
      tell({ connection: 'open', exchanges: EMPTY.exchanges });
    });
    source.addEventListener('error', () => {
      tell({ connection: 'reconnecting' });
      // It comes back by itself, unless it was refused.
      if (source.readyState === EventSource.CLOSED) void retry();
    });
    on('exchange', (exchange) => {
      if (burst.push(exchange) === 1) after(BURST, draw);
    });
    on('snapshot', (snapshot) => tell({ snapshot, snapshotAt: ticks(), connection: 'open' }));
    on('trouble', () => tell({ connection: 'trouble' }));
  };
  const retry = async () => {
    const status = await statusOf(LIVE_PATHS.events);
    if (status === 401) tell({ connection: 'over' });
    else after(AGAIN, open);
  };
  open();
}
