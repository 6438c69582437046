import { useEffect, useState } from 'preact/hooks';

/** The style sheet has the same. */
const NARROW = '(max-width: 56rem)';

/** Whether there is room for one pane only. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = () => setNarrow(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
