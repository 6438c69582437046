import { useMemo } from 'preact/hooks';
import { isPageFile } from '../parts/tone.ts';
import { useView } from '../state/use-live.ts';
import { NO_FILTER } from '../state/view-state.ts';
import { Diagram } from './diagram.tsx';
import { lanesOf, rowsOf } from './rows.ts';
import { Toolbar } from './toolbar.tsx';

/** What was sent, as far as it is wanted, or why nothing is there. */
export function Exchanges() {
  const { state, tell } = useView();
  const { exchanges, filter, snapshot } = state;
  const changes = snapshot?.changes;
  const all = useMemo(() => [...exchanges.values()], [exchanges]);
  const rows = useMemo(() => rowsOf(all, changes ?? [], filter), [all, changes, filter]);
  const lanes = lanesOf(state);
  return (
    <>
      <Toolbar lanes={lanes} hasPageFiles={all.some(isPageFile)} />
      {rows.length > 0 ? (
        <Diagram rows={rows} lanes={lanes} />
      ) : all.length > 0 ? (
        <div class="nothing">
          <p>None of {all.length.toLocaleString('en')} exchanges is like that.</p>
          <button type="button" onClick={() => tell({ filter: { ...NO_FILTER, pageFiles: true } })}>
            Show all
          </button>
        </div>
      ) : (
        <p class="nothing">
          {/* What is beside the exchanges is told after those that are kept. */}
          {snapshot === undefined
            ? 'Reading what was sent…'
            : 'Nothing has been sent yet. Exchanges show up here as they happen.'}
        </p>
      )}
    </>
  );
}
