import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So near to its end a list is followed, in pixels: half a line. */
const NEAR = 30;

/**
 * Follows the end of a list, unless the reader scrolled away from it: then what is seen stays in its place.
 * @param rows are what it shows. @param latest grows with what comes. @returns with `seen`, the last one that the
 * reader can have seen.
 */
export function useEnd(box: RefObject<HTMLDivElement | null>, rows: unknown, latest: number) {
  const [seen, setSeen] = useState(latest);
  const isAtEnd = useRef(true);
  /** The first line that is seen, and how much of it is above the edge. */
  const first = useRef<{ readonly row: HTMLElement; readonly above: number }>(undefined);
  const look = useCallback(() => {
    const list = box.current;
    // Hidden, it has lost its place.
    if (list === null || list.clientHeight === 0) return;
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
