import { useLayoutEffect, useRef } from 'preact/hooks';
import { useView } from '../state/use-live.ts';
import type { Actor } from '../state/view-state.ts';
import { RowView, rowId } from './row.tsx';
import type { Row } from './rows.ts';

/** Whoever is so near to the end stays there, in pixels: half a line. */
const NEAR = 30;

interface DiagramProps {
  readonly rows: readonly Row[];
  readonly lanes: readonly Actor[];
}

/** Who sent what to whom, newest last. */
export function Diagram({ lanes, rows }: DiagramProps) {
  const { state, tell } = useView();
  const { opened } = state;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** The first line that is seen, and how much of it is above the edge. */
  const first = useRef<{ readonly line: HTMLElement; readonly above: number }>(undefined);
  const look = () => {
    const list = box.current;
    if (list === null) return;
    const { clientHeight, scrollHeight, scrollTop } = list;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
    const line = [...list.querySelectorAll<HTMLElement>('.row')].find(
      ({ offsetHeight, offsetTop }) => offsetTop + offsetHeight > scrollTop,
    );
    first.current = line && { line, above: scrollTop - line.offsetTop };
  };
  // Whoever is not at the end stays at what is seen, also where the oldest lines go.
  const stay = () => {
    const list = box.current;
    const { above = 0, line } = first.current ?? {};
    if (isAtEnd.current) list?.scrollTo(0, list.scrollHeight);
    else if (line?.isConnected) list?.scrollTo(0, line.offsetTop + above);
    look();
  };
  useLayoutEffect(stay, [rows]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(stay);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  // The line that was opened has the focus again, unless something else took it.
  useLayoutEffect(() => {
    if (opened === undefined) return undefined;
    return () => {
      const line = document.getElementById(rowId(opened)) ?? box.current;
      if (document.activeElement === document.body) line?.focus({ preventScroll: true });
    };
  }, [opened]);

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
        <span class="track">
          {lanes.map((lane) => (
            <span key={lane}>{lane}</span>
          ))}
        </span>
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
            <span class="track" />
          </div>
          {rows.map((row) => (
            <RowView
              key={row.key}
              row={row}
              lanes={lanes}
              isChosen={row.key === opened?.key}
              choose={() => row.kind === 'exchange' && tell({ opened: row })}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
