import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { isPageFile } from '../parts/tone.ts';
import { shownOf, type ViewState } from '../state/view-state.ts';
import { Diagram } from './diagram.tsx';
import { type Filter, isFiltering, NO_FILTER } from './filter.ts';
import { type ExchangeRow, lanesOf, rowsOf } from './rows.ts';
import { Toolbar } from './toolbar.tsx';

interface ExchangesProps {
  readonly state: ViewState;
  readonly filter: Filter;
  readonly chosen: number | undefined;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly change: (filter: Filter) => void;
  readonly clear: () => void;
  /** Shows again what was cleared. */
  readonly restore: () => void;
  readonly open: (row: ExchangeRow) => void;
}

export function Exchanges(props: ExchangesProps) {
  const { box, change, chosen, clear, filter, open, restore, state } = props;
  const shown = useMemo(() => shownOf(state), [state]);
  const rows = useMemo(() => rowsOf(shown, filter), [shown, filter]);
  const lanes = lanesOf(state);
  const { length } = shown.exchanges;
  const cleared = state.exchanges.size - length;
  return (
    <>
      <Toolbar
        filter={filter}
        lanes={lanes}
        cleared={cleared}
        hasPageFiles={shown.exchanges.some(isPageFile)}
        change={change}
        clear={clear}
        restore={restore}
      />
      {rows.length > 0 ? (
        <Diagram rows={rows} lanes={lanes} chosen={chosen} open={open} box={box} />
      ) : (
        <div class="nothing">
          {length > 0 ? (
            <>
              <p>None of {length.toLocaleString('en')} exchanges is like that.</p>
              <button
                type="button"
                class="secondary"
                onClick={() => change({ ...NO_FILTER, pageFiles: !isFiltering(filter) })}
              >
                Show all
              </button>
            </>
          ) : (
            <p>
              {cleared > 0 ? 'Cleared.' : 'Nothing has been sent yet.'} Exchanges show up here as
              they happen.
            </p>
          )}
          {length === 0 && cleared > 0 && (
            <button type="button" class="secondary" onClick={restore}>
              Show again
            </button>
          )}
        </div>
      )}
    </>
  );
}
