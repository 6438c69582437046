import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Controls } from './controls/controls.tsx';
import { Details } from './details/details.tsx';
import { Mails } from './mails.tsx';
import { CopyButton } from './parts/copy-button.tsx';
import { Icon } from './parts/icon.tsx';
import { Line, LongText } from './parts/text.tsx';
import { describeOffset } from './parts/texts.ts';
import { Registrations } from './registrations/registrations.tsx';
import { useLive, useNow, useView, ViewContext } from './state/use-live.ts';
import { type Connection, isPassive, type PaneId } from './state/view-state.ts';
import { PANE_NAMES, Tabs } from './tabs.tsx';
import { Exchanges } from './traffic/exchanges.tsx';

/** What there is beside the exchanges. */
function SidePane({ id }: { readonly id: PaneId }) {
  const { state } = useView();
  return (
    <div
      class="pane-body"
      id={`pane-${id}`}
      role="tabpanel"
      aria-labelledby={`tab-${id}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to go to
      tabIndex={0}
    >
      <h2 class="aside">{PANE_NAMES[id]}</h2>
      {id === 'registrations' && <Registrations />}
      {id === 'mails' && <Mails mails={state.snapshot?.mails ?? []} />}
      {id === 'controls' && <Controls />}
    </div>
  );
}

/** Says what the last button led to. It is always there, so that a screen reader hears what comes into it. */
function ResultLine() {
  const { state, tell } = useView();
  const { result } = state;
  return (
    <div class="result-place" role="status">
      {result !== undefined && (
        <p class={`result ${result.ok ? 'tone-done' : 'tone-failed'}`}>
          <span>
            <Icon name={result.ok ? 'done' : 'failed'} /> <LongText text={result.message} />
          </span>
          <button
            type="button"
            class="quiet"
            aria-label="Put it away"
            onClick={() => tell({ kind: 'acted', result: undefined })}
          >
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}

const SAID: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  reconnecting: 'Reconnecting…',
  over: 'Not connected',
};

/** Whose view it is, whether it is live, and what time it is there. */
function Header() {
  const { state } = useView();
  const { connection, snapshot } = state;
  const program = isPassive(state) ? 'proxy' : 'mock';
  const again = `agent-auth ${program} open`;
  return (
    <>
      <div class="title">
        <img
          class="mark"
          alt=""
          src={document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href}
        />
        <h1 class="cut">
          <Line text={snapshot?.title ?? 'Live view'} />
        </h1>
        <p class={`connection ${connection}`} role="status">
          <span aria-hidden="true">{connection === 'open' ? '●' : '○'}</span>{' '}
          <span>{SAID[connection]}</span>
        </p>
        <ClockView />
      </div>
      {connection === 'over' && (
        <div class="ended" role="alert">
          <p>
            This view has ended: the {program} was started anew, or its session is over. What was
            seen stays here. To open it again:
          </p>
          <p class="buttons">
            <code>{again}</code>
            <CopyButton label="Copy the line" text={again} />
          </p>
        </div>
      )}
    </>
  );
}

function ClockView() {
  const { state } = useView();
  const now = useNow();
  const [party] = state.snapshot?.parties ?? [];
  if (party === undefined || now === undefined) return null;
  const offset = describeOffset(party.clock_offset_ms);
  return (
    <p class="clock">
      <span class="aside">{isPassive(state) ? 'The time: ' : "The mock's clock: "}</span>
      <time>{new Date(now).toISOString().slice(11, 19)}</time> UTC{' '}
      {offset !== undefined && <span class="badge offset">{offset}</span>}
    </p>
  );
}

/** The whole page. */
export function App() {
  const view = useLive();
  return (
    <ViewContext.Provider value={view}>
      <Page />
    </ViewContext.Provider>
  );
}

function Page() {
  const { state, tell } = useView();
  const { opened, pane } = state;
  const isNarrow = useNarrow();

  useLayoutEffect(() => {
    // What is behind the details can take the focus only once they are gone.
    // A tab that was chosen keeps it.
    const isLost = document.activeElement === document.body;
    if (opened !== undefined || !isLost) return;
    document.querySelector<HTMLElement>('.lines')?.focus({ preventScroll: true });
  }, [opened]);

  const tabs: readonly PaneId[] = isPassive(state)
    ? ['registrations']
    : ['registrations', 'mails', 'controls'];
  // Beside each other, or one at a time.
  const side = pane === 'exchanges' ? 'registrations' : pane;
  const panel = isNarrow
    ? ({ role: 'tabpanel', 'aria-labelledby': 'tab-exchanges' } as const)
    : ({ role: 'region', 'aria-labelledby': 'exchanges-title' } as const);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the details from wherever the focus is
    <div
      class="app"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === undefined) return;
        event.preventDefault();
        tell({ kind: 'opened', row: undefined });
      }}
    >
      <header class="top-place">
        <Header />
        {isNarrow && <Tabs label="Live view" ids={['exchanges', ...tabs]} chosen={pane} />}
      </header>
      <main class="stage">
        <div
          class="exchanges"
          id="pane-exchanges"
          {...panel}
          hidden={isNarrow && pane !== 'exchanges'}
          inert={isNarrow && opened !== undefined}
        >
          <h2 class="aside" id="exchanges-title">
            Exchanges
          </h2>
          <Exchanges />
        </div>
        {!isNarrow && <Tabs label="Beside the exchanges" ids={tabs} chosen={side} />}
        {(!isNarrow || pane !== 'exchanges') && (
          <div class="side" inert={opened !== undefined}>
            <SidePane id={side} />
          </div>
        )}
        {opened !== undefined && <Details row={opened} />}
      </main>
      <ResultLine />
    </div>
  );
}

/** The style sheet has the same. */
const NARROW = '(max-width: 56rem)';

/** Whether there is room for one pane only. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = () => setNarrow(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
