import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ResultLine } from './actions/result-line.tsx';
import { useActions } from './actions/use-actions.ts';
import { Details } from './details/details.tsx';
import { Header } from './header.tsx';
import { Tabs } from './parts/tabs.tsx';
import { type SideId, SidePane, sideTabs } from './side-pane.tsx';
import { useLive } from './state/use-live.ts';
import { Exchanges } from './traffic/exchanges.tsx';
import { type Filter, NO_FILTER } from './traffic/filter.ts';
import type { ExchangeRow } from './traffic/rows.ts';

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
