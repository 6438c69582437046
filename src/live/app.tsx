import { useCallback, useRef, useState } from 'preact/hooks';
import { Details } from './details/details.tsx';
import { Exchanges } from './exchanges/exchanges.tsx';
import { type Filter, NO_FILTER } from './exchanges/filter.ts';
import type { ExchangeRow } from './exchanges/rows.ts';
import { Header } from './header.tsx';
import { useLive } from './state/use-live.ts';

/** The whole page. `line`: the height of a line of the diagram, in pixels. */
export function App({ line }: { readonly line: number }) {
  const [state, tell] = useLive();
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [opened, setOpened] = useState<ExchangeRow>();
  const box = useRef<HTMLDivElement>(null);

  const close = useCallback(() => {
    setOpened(undefined);
    box.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div class={opened === undefined ? 'app' : 'app with-details'}>
      <Header state={state} />
      <main class="exchanges">
        <h2 class="aside">Exchanges</h2>
        <Exchanges
          state={state}
          filter={filter}
          line={line}
          chosen={opened?.exchange.seq}
          box={box}
          change={setFilter}
          clear={() => tell({ kind: 'cleared' })}
          open={setOpened}
        />
      </main>
      {opened !== undefined && (
        <Details
          row={opened}
          close={close}
          showRegistration={(id) => setFilter({ ...NO_FILTER, registration: id })}
        />
      )}
    </div>
  );
}
