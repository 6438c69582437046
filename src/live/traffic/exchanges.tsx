import { useMemo } from 'preact/hooks';
import { isPageFile } from '../parts/tone.ts';
import { useView } from '../state/use-live.ts';
import { NO_FILTER, shownOf } from '../state/view-state.ts';
import { Diagram } from './diagram.tsx';
import { isFiltering } from './filter.ts';
import { lanesOf, rowsOf } from './rows.ts';
import { Toolbar } from './toolbar.tsx';

/** What was sent, as far as it is wanted, or why nothing is there. */
export function Exchanges() {
  const { state, tell } = useView();
  const { filter } = state;
  const { clearedAt, clearedTo, exchanges, gaps, snapshot } = state;
  const shown = useMemo(
    () => shownOf({ clearedAt, clearedTo, exchanges, gaps, snapshot }),
    [clearedAt, clearedTo, exchanges, gaps, snapshot],
  );
  const rows = useMemo(() => rowsOf(shown, filter), [shown, filter]);
  const lanes = lanesOf(state);
  const { length } = shown.exchanges;
  const cleared = exchanges.size - length;
  // Else nothing but files of pages was sent.
  const all = { ...NO_FILTER, pageFiles: !isFiltering(filter) };
  return (
    <>
      <Toolbar lanes={lanes} cleared={cleared} hasPageFiles={shown.exchanges.some(isPageFile)} />
      {rows.length > 0 ? (
        <Diagram rows={rows} lanes={lanes} />
      ) : length > 0 ? (
        <div class="nothing">
          <p>None of {length.toLocaleString('en')} exchanges is like that.</p>
          <button type="button" onClick={() => tell({ filter: { ...filter, ...all } })}>
            Show all
          </button>
        </div>
      ) : (
        <p class="nothing">
          {cleared > 0 ? 'Cleared.' : 'Nothing has been sent yet.'} Exchanges show up here as they
          happen.
        </p>
      )}
    </>
  );
}
