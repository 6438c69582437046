import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { useView } from '../state/use-live.ts';
import type { Actor } from '../state/view-state.ts';
import { RowView, rowId } from './row.tsx';
import type { Row } from './rows.ts';

/** So near to its end a list is followed, in pixels: half a line. */
const NEAR = 30;

/**
 * Follows the end of a list, unless the reader scrolled away from it: then what is seen stays in its place.
 * @param rows are what it shows. @param latest grows with what comes. @returns with `seen`, the last one that the
 * reader can have seen.
 */
function useEnd(box: RefObject<HTMLDivElement | null>, rows: unknown, latest: number) {
  const [seen, setSeen] = useState(latest);
  const isAtEnd = useRef(true);
  /** The first line that is seen, and how much of it is above the edge. */
  const first = useRef<{ readonly row: HTMLElement; readonly above: number }>(undefined);
  const look = useCallback(() => {
    const list = box.current;
    if (list === null) return;
    isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    const row = [...list.querySelectorAll<HTMLElement>('.row')].find(
      ({ offsetHeight, offsetTop }) => offsetTop + offsetHeight > list.scrollTop,
    );
    if (row !== undefined) first.current = { row, above: list.scrollTop - row.offsetTop };
    if (isAtEnd.current) setSeen(latest);
  }, [latest]);
  const settle = useCallback(() => {
    const list = box.current;
    const { above = 0, row } = first.current ?? {};
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight;
    else if (list !== null && row?.isConnected) list.scrollTop = row.offsetTop + above;
    look();
  }, [look]);
  useLayoutEffect(settle, [rows, settle]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(settle);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [settle]);
  const toEnd = () => {
    isAtEnd.current = true;
    settle();
  };
  return { seen, look, toEnd };
}

interface DiagramProps {
  readonly rows: readonly Row[];
  readonly lanes: readonly Actor[];
}

/** Who sent what to whom, newest last. */
export function Diagram({ lanes, rows }: DiagramProps) {
  const { state, tell } = useView();
  const { opened } = state;
  const chosen = opened?.exchange.seq;
  const box = useRef<HTMLDivElement>(null);
  const numbers = rows.map((row) => (row.kind === 'exchange' ? row.exchange.seq : 0));
  const { look, seen, toEnd } = useEnd(box, rows, Math.max(...numbers));
  const news = numbers.filter((seq) => seq > seen).length;
  // The line that was opened has the focus again, unless something else took it.
  useLayoutEffect(() => {
    if (opened === undefined) return undefined;
    return () => {
      const line = document.getElementById(rowId(opened)) ?? box.current;
      if (document.activeElement === document.body) line?.focus({ preventScroll: true });
    };
  }, [opened]);

  const choose = (row: Row) => {
    if (row.kind === 'exchange') tell({ opened: row });
  };
  const press = (event: KeyboardEvent) => {
    const lines = [...(box.current?.querySelectorAll<HTMLElement>('.row') ?? [])];
    const at = lines.indexOf(document.activeElement as HTMLElement);
    const last = lines.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, (at === -1 ? lines.length : at) - 1),
      ArrowDown: at === -1 ? last : Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const to = lines[moves[event.key] ?? -1];
    if (to !== undefined) to.focus();
    else if (event.key === 'Enter' || event.key === ' ') lines[at]?.click();
    else return;
    event.preventDefault();
  };

  return (
    <div class="diagram" style={{ '--lanes': lanes.length }}>
      <div class="heads" aria-hidden="true">
        <span class="time" />
        <span class="track">
          {lanes.map((lane) => (
            <span key={lane} class="head">
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
        onScroll={look}
        onKeyDown={press}
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
