import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import type { Actor } from '../state/view-state.ts';
import { RowView, rowId } from './row.tsx';
import type { ExchangeRow, Row } from './rows.ts';
import { useWindow } from './use-window.ts';
import { indexOfKey, topFor, windowOf } from './window.ts';

interface DiagramProps {
  readonly rows: readonly Row[];
  readonly lanes: readonly Actor[];
  /** Of a line, in pixels. */
  readonly line: number;
  /** The `seq` of the exchange whose details are open. */
  readonly chosen: number | undefined;
  readonly open: (row: ExchangeRow) => void;
  /** What has the focus while a line is chosen by keys. */
  readonly box: RefObject<HTMLDivElement | null>;
}

/** Who sent what to whom, newest last; of ten thousand lines those alone are made that are seen. */
export function Diagram({ box, chosen, lanes, line, open, rows }: DiagramProps) {
  const { news, place, scrolled, toEnd } = useWindow(box, rows, line);
  const [active, setActive] = useState<number>();
  const { begin, end } = windowOf({ ...place, line }, rows.length);
  const activeIndex = active === undefined ? -1 : indexOfKey(rows, active);
  const activeRow = rows[activeIndex]?.key === active ? rows[activeIndex] : undefined;
  const isMade = activeRow !== undefined && activeIndex >= begin && activeIndex < end;

  const choose = (row: Row) => {
    setActive(row.key);
    if (row.kind === 'exchange') open(row);
  };
  const move = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setActive(rows[to]?.key);
    const element = box.current;
    if (element === null) return;
    const scroll = { top: element.scrollTop, height: element.clientHeight, line };
    const top = topFor(to, scroll);
    if (top !== undefined) element.scrollTop = top;
    if (to === rows.length - 1) toEnd();
  };
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(place.height / line) - 1);
    const at = activeRow === undefined ? rows.length : activeIndex;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: activeRow === undefined ? rows.length - 1 : at + 1,
      PageUp: at - page,
      PageDown: at + page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (activeRow !== undefined) choose(activeRow);
    } else return;
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
        aria-activedescendant={isMade ? rowId(activeRow.key) : undefined}
        onScroll={scrolled}
        onKeyDown={press}
        onFocus={() => {
          if (activeRow === undefined) setActive(rows.at(-1)?.key);
        }}
      >
        <div class="all" style={{ height: `${rows.length * line}px` }}>
          <div class="ground" aria-hidden="true">
            <span class="time" />
            <span class="track" />
            <span class="words" />
          </div>
          {rows.slice(begin, end).map((row, index) => (
            <RowView
              key={row.key}
              row={row}
              index={begin + index}
              count={rows.length}
              lanes={lanes}
              line={line}
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
