import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import type { Actor } from '../state/view-state.ts';
import { RowView, rowId } from './row.tsx';
import type { ExchangeRow, Row } from './rows.ts';
import { useEnd } from './use-end.ts';

interface DiagramProps {
  readonly rows: readonly Row[];
  readonly lanes: readonly Actor[];
  /** The `seq` of the exchange whose details are open. */
  readonly chosen: number | undefined;
  readonly open: (row: ExchangeRow) => void;
  /** What has the focus while a line is chosen by keys. */
  readonly box: RefObject<HTMLDivElement | null>;
}

/** Who sent what to whom, newest last. */
export function Diagram({ box, chosen, lanes, open, rows }: DiagramProps) {
  const numbers = rows.map((row) => (row.kind === 'exchange' ? row.exchange.seq : 0));
  const { look, seen, toEnd } = useEnd(box, rows, Math.max(...numbers));
  const news = numbers.filter((seq) => seq > seen).length;
  const [active, setActive] = useState<string>();
  const activeIndex = rows.findIndex(({ key }) => key === active);

  const choose = (row: Row | undefined) => {
    setActive(row?.key);
    if (row?.kind === 'exchange') open(row);
  };
  const press = (event: KeyboardEvent) => {
    const last = rows.length - 1;
    const at = activeIndex === -1 ? last : activeIndex;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, at - 1),
      ArrowDown: Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const to = rows[moves[event.key] ?? -1];
    if (to !== undefined) {
      setActive(to.key);
      document.getElementById(rowId(to))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' || event.key === ' ') choose(rows[activeIndex]);
    else return;
    event.preventDefault();
  };

  return (
    <div class="diagram" style={{ '--lanes': lanes.length }}>
      <div class="heads" aria-hidden="true">
        <span class="time" />
        <span class="track">
          {lanes.map((lane) => (
            <span key={lane} class={`head lane-${lane}`}>
              <span class="whole">{lane}</span>
              <span class="initial">{lane.charAt(0)}</span>
            </span>
          ))}
        </span>
        <span class="words" />
      </div>
      <div
        ref={box}
        class="lines"
        role="listbox"
        aria-label="Exchanges, oldest first"
        tabIndex={0}
        aria-activedescendant={rows[activeIndex] && rowId(rows[activeIndex])}
        onScroll={look}
        onKeyDown={press}
        onFocus={() => {
          if (activeIndex === -1) setActive(rows.at(-1)?.key);
        }}
      >
        <div class="all">
          <div class="ground" aria-hidden="true">
            <span class="time" />
            <span class="track" />
            <span class="words" />
          </div>
          {rows.map((row) => (
            <RowView
              key={row.key}
              row={row}
              lanes={lanes}
              isActive={row.key === active}
              isChosen={row.kind === 'exchange' && row.all.some(({ seq }) => seq === chosen)}
              choose={choose}
            />
          ))}
        </div>
      </div>
      {news > 0 && (
        <button type="button" class="news" onClick={toEnd}>
          {news.toLocaleString('en')} new
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
