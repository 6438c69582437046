import { useEffect, useState } from 'preact/hooks';
import { isNarrow, onNarrow } from './browser.ts';
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
    <section
      class="pane-body"
      id={`pane-${id}`}
      aria-label={PANE_NAMES[id]}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to go to
      tabIndex={0}
    >
      <h2 class="aside">{PANE_NAMES[id]}</h2>
      {id === 'registrations' && <Registrations />}
      {id === 'mails' && <Mails mails={state.snapshot?.mails ?? []} />}
      {id === 'controls' && <Controls />}
    </section>
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
            onClick={() => tell({ result: undefined })}
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
  trouble: 'The database fails',
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
          width="26"
          src={document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href}
        />
        <h1 class="cut">
          <Line text={snapshot?.title ?? 'Live view'} />
        </h1>
        <p class={`connection tone-${connection === 'open' ? 'done' : 'refused'}`} role="status">
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
  const [narrow, setNarrow] = useState(isNarrow);
  useEffect(() => onNarrow(() => setNarrow(isNarrow())), []);

  const tabs: readonly PaneId[] = isPassive(state)
    ? ['registrations']
    : ['registrations', 'mails', 'controls'];
  // Beside each other, or one at a time.
  const side = pane === 'exchanges' ? 'registrations' : pane;
  const hasSide = !narrow || pane !== 'exchanges';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the details from wherever the focus is
    <div
      class="app"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === undefined) return;
        event.preventDefault();
        tell({ opened: undefined });
      }}
    >
      <header class="top-place">
        <Header />
        {narrow && <Tabs label="Live view" ids={['exchanges', ...tabs]} chosen={pane} />}
      </header>
      <main class="stage">
        <section
          class="exchanges"
          id="pane-exchanges"
          aria-label="Exchanges"
          inert={narrow && (hasSide || opened !== undefined)}
        >
          <h2 class="aside">Exchanges</h2>
          <Exchanges />
        </section>
        {!narrow && <Tabs label="Beside the exchanges" ids={tabs} chosen={side} />}
        {hasSide && (
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
