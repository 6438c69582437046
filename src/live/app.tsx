import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Actions, useActions } from './actions/use-actions.ts';
import { Controls } from './controls/controls.tsx';
import { Details } from './details/details.tsx';
import { Mails } from './mails/mails.tsx';
import { CopyButton } from './parts/copy-button.tsx';
import { Icon } from './parts/icon.tsx';
import { Pane, type Tab, Tabs } from './parts/tabs.tsx';
import { Line, LongText } from './parts/text.tsx';
import { describeOffset } from './parts/texts.ts';
import { Registrations } from './registrations/registrations.tsx';
import { useLive, useNow } from './state/use-live.ts';
import { type Connection, isPassive, type ViewState } from './state/view-state.ts';
import { Exchanges } from './traffic/exchanges.tsx';
import { type Filter, NO_FILTER } from './traffic/filter.ts';
import type { ExchangeRow } from './traffic/rows.ts';

const NAMES = {
  registrations: 'Registrations',
  mails: 'Mails',
  controls: 'Controls',
} as const;

type SideId = keyof typeof NAMES;

const IDS = Object.keys(NAMES) as readonly SideId[];

function sideTabs(state: ViewState): readonly Tab<SideId>[] {
  const { snapshot } = state;
  const counts: Partial<Record<SideId, number>> = {
    registrations: snapshot?.registrations.filter(({ attempt }) => attempt !== null).length ?? 0,
    mails: snapshot?.mails.length ?? 0,
  };
  const ids = isPassive(state) ? IDS.slice(0, 1) : IDS;
  return ids.map((id) => ({ id, name: NAMES[id], count: counts[id] }));
}

interface SidePaneProps {
  readonly id: SideId;
  readonly state: ViewState;
  readonly actions: Actions;
  readonly showExchanges: (id: string) => void;
  readonly wasReset: () => void;
}

/** What there is beside the exchanges. */
function SidePane({ actions, id, showExchanges, state, wasReset }: SidePaneProps) {
  const parties = state.snapshot?.parties ?? [];
  const can = new Set<string>(parties.flatMap(({ controls }) => controls));
  return (
    <Pane id={id}>
      <h2 class="aside">{NAMES[id]}</h2>
      {id === 'registrations' && (
        <Registrations state={state} actions={actions} can={can} showExchanges={showExchanges} />
      )}
      {id === 'mails' && <Mails mails={state.snapshot?.mails ?? []} />}
      {id === 'controls' && (
        <Controls parties={parties} actions={actions} can={can} wasReset={wasReset} />
      )}
    </Pane>
  );
}

/** Says what the last button led to. It is always there, so that a screen reader hears what comes into it. */
function ResultLine({ actions: { forget, result } }: { readonly actions: Actions }) {
  return (
    <div class="result-place" role="status">
      {result !== undefined && (
        <p class={`result ${result.ok ? 'tone-done' : 'tone-failed'}`}>
          <Icon name={result.ok ? 'done' : 'failed'} />
          <span>
            <LongText text={result.message} />
          </span>
          <button type="button" class="quiet icon-only" aria-label="Put it away" onClick={forget}>
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
function Header({ state }: { readonly state: ViewState }) {
  const { connection, snapshot } = state;
  const program = isPassive(state) ? 'proxy' : 'mock';
  const again = `agent-auth ${program} open`;
  return (
    <div class="top">
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
          <span class="dot" aria-hidden="true" />
          {SAID[connection]}
        </p>
        <ClockView state={state} />
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
    </div>
  );
}

function ClockView({ state }: { readonly state: ViewState }) {
  const now = useNow(state);
  const [party] = state.snapshot?.parties ?? [];
  if (party === undefined || now === undefined) return null;
  const offset = describeOffset(party.clock_offset_ms);
  return (
    <p class="clock">
      <span class="aside">{isPassive(state) ? 'The time: ' : "The mock's clock: "}</span>
      <time>{new Date(now).toISOString().slice(11, 19)}</time> UTC
      {offset !== undefined && <span class="offset">{offset}</span>}
    </p>
  );
}

/** The whole page. */
export function App() {
  const [state, tell] = useLive();
  const actions = useActions();
  const isNarrow = useNarrow();
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [opened, setOpened] = useState<ExchangeRow>();
  const [chosen, setChosen] = useState<SideId | 'exchanges'>('exchanges');
  const box = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);

  useLayoutEffect(() => {
    // What is behind the details can take the focus only once they are gone.
    // A tab that was chosen keeps it.
    const isLost = document.activeElement === document.body;
    if (opened === undefined && wasOpen.current && isLost)
      box.current?.focus({ preventScroll: true });
    wasOpen.current = opened !== undefined;
  }, [opened]);

  const choose = (id: SideId | 'exchanges') => {
    setChosen(id);
    setOpened(undefined);
  };
  const showExchanges = (id: string) => {
    setFilter({ ...NO_FILTER, registration: id });
    setChosen('exchanges');
  };
  const tabs = sideTabs(state);
  // Beside each other, or one at a time.
  const side = chosen === 'exchanges' ? 'registrations' : chosen;
  const panel = isNarrow
    ? ({ role: 'tabpanel', 'aria-labelledby': 'tab-exchanges' } as const)
    : ({ role: 'region', 'aria-labelledby': 'exchanges-title' } as const);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the details from wherever the focus is
    <div
      class={opened === undefined ? 'app' : 'app with-details'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === undefined) return;
        event.preventDefault();
        setOpened(undefined);
      }}
    >
      <header class="top-place">
        <Header state={state} />
        {isNarrow && (
          <Tabs
            label="Live view"
            tabs={[{ id: 'exchanges', name: 'Exchanges' }, ...tabs]}
            chosen={chosen}
            choose={choose}
          />
        )}
      </header>
      <main class="stage">
        <div
          class="exchanges"
          id="pane-exchanges"
          {...panel}
          hidden={isNarrow && chosen !== 'exchanges'}
          inert={isNarrow && opened !== undefined}
        >
          <h2 class="aside" id="exchanges-title">
            Exchanges
          </h2>
          <Exchanges
            state={state}
            filter={filter}
            chosen={opened?.exchange.seq}
            box={box}
            change={setFilter}
            clear={() => tell({ kind: 'cleared' })}
            restore={() => tell({ kind: 'restored' })}
            open={setOpened}
          />
        </div>
        {!isNarrow && (
          <Tabs label="Beside the exchanges" tabs={tabs} chosen={side} choose={choose} />
        )}
        {(!isNarrow || chosen !== 'exchanges') && (
          <div class="side" inert={opened !== undefined}>
            <SidePane
              id={side}
              state={state}
              actions={actions}
              showExchanges={showExchanges}
              wasReset={() => tell({ kind: 'reset' })}
            />
          </div>
        )}
        {opened !== undefined && (
          <Details
            row={opened}
            close={() => setOpened(undefined)}
            showExchanges={(id) => {
              showExchanges(id);
              if (isNarrow) setOpened(undefined);
            }}
          />
        )}
      </main>
      <ResultLine actions={actions} />
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
