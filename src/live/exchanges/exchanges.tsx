import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { changesOf, notCleared, type ViewState } from '../state/view-state.ts';
import { changeWords } from './change-words.ts';
import { Diagram } from './diagram.tsx';
import { type Filter, isFiltering, NO_FILTER } from './filter.ts';
import { lanesOf } from './lanes.ts';
import { isPageFile } from './page-file.ts';
import { type ExchangeRow, rowsOf } from './rows.ts';
import { Toolbar } from './toolbar.tsx';

interface ExchangesProps {
  readonly state: ViewState;
  readonly filter: Filter;
  readonly line: number;
  readonly chosen: number | undefined;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly change: (filter: Filter) => void;
  readonly clear: () => void;
  /** Shows again what was cleared. */
  readonly restore: () => void;
  readonly open: (row: ExchangeRow) => void;
}

const NOBODY: readonly never[] = [];

export function Exchanges(props: ExchangesProps) {
  const { box, change, chosen, clear, filter, line, open, restore, state } = props;
  const { actors, clearedAt, clearedTo, exchanges: all, gaps, marks, snapshot } = state;
  const exchanges = useMemo(() => notCleared({ clearedTo, exchanges: all }), [clearedTo, all]);
  const hasPageFiles = useMemo(() => exchanges.some(isPageFile), [exchanges]);
  const cleared = all.length - exchanges.length;
  const changes = useMemo(() => changesOf({ clearedAt, snapshot }), [clearedAt, snapshot]);
  const rows = useMemo(
    () => rowsOf({ changes, exchanges, gaps, marks }, filter),
    [changes, exchanges, gaps, marks, filter],
  );
  const changed = useMemo(
    () => changes.flatMap((change) => changeWords(change)?.lane ?? []),
    [changes],
  );
  const parties = snapshot?.parties ?? NOBODY;
  const who = [...new Set([...actors, ...parties.map(({ role }) => role), ...changed])]
    .sort()
    .join();
  // `who` says all that is asked of both.
  const lanes = useMemo(() => lanesOf(actors, parties, changed), [who]);
  return (
    <>
      <Toolbar
        filter={filter}
        lanes={lanes}
        cleared={cleared}
        hasPageFiles={hasPageFiles}
        change={change}
        clear={clear}
        restore={restore}
      />
      {rows.length > 0 ? (
        <Diagram rows={rows} lanes={lanes} line={line} chosen={chosen} open={open} box={box} />
      ) : (
        <div class="nothing">
          {exchanges.length > 0 ? (
            <>
              <p>None of {exchanges.length.toLocaleString('en')} exchanges is like that.</p>
              <button
                type="button"
                class="secondary"
                onClick={() => change({ ...NO_FILTER, pageFiles: !isFiltering(filter) })}
              >
                Show all
              </button>
            </>
          ) : cleared > 0 ? (
            <>
              <p>Cleared. Exchanges show up here as they happen.</p>
              <button type="button" class="secondary" onClick={restore}>
                Show again
              </button>
            </>
          ) : (
            <p>Nothing has been sent yet. Exchanges show up here as they happen.</p>
          )}
        </div>
      )}
    </>
  );
}
