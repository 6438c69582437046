import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row } from './rows.ts';
import { type Anchor, anchorOf, isAtEnd, topOf } from './window.ts';

interface Place {
  readonly top: number;
  readonly height: number;
}

export interface Windowed {
  readonly place: Place;
  /** So many lines came since the reader left the end. */
  readonly news: number;
  /** To be called when it was scrolled. */
  readonly scrolled: () => void;
  readonly toEnd: () => void;
}

/** What of a list is seen: it follows the newest line, unless the reader scrolled away from it. */
export function useWindow(
  box: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  line: number,
): Windowed {
  const [place, setPlace] = useState<Place>({ top: 0, height: 0 });
  const isFollowing = useRef(true);
  const anchor = useRef<Anchor | undefined>(undefined);
  /** The last line that the reader can have seen. */
  const [seen, setSeen] = useState(0);
  const shown = useRef(rows);

  const look = useCallback(() => {
    const element = box.current;
    if (element === null || element.clientHeight === 0) return;
    const now = { top: element.scrollTop, height: element.clientHeight };
    isFollowing.current = isAtEnd({ ...now, line }, shown.current.length);
    anchor.current = anchorOf({ ...now, line }, shown.current);
    if (isFollowing.current)
      setSeen(shown.current.reduce((last, { key }) => Math.max(last, key), 0));
    setPlace((before) => (before.top === now.top && before.height === now.height ? before : now));
  }, [box, line]);

  const settle = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    else if (anchor.current !== undefined) {
      element.scrollTop = topOf(anchor.current, line, shown.current);
    }
    look();
  }, [box, line, look]);

  useLayoutEffect(() => {
    shown.current = rows;
    settle();
  }, [rows, settle]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(settle);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, settle]);

  const toEnd = useCallback(() => {
    isFollowing.current = true;
    settle();
  }, [settle]);

  const news = isFollowing.current ? 0 : rows.filter(({ key }) => key > seen).length;
  return { place, news, scrolled: look, toEnd };
}
