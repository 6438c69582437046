import { useEffect, useState } from 'preact/hooks';
import type { LiveExchange } from '../mock/live/model.ts';
import { LIVE_PATHS } from '../mock/live/paths.ts';

/** The whole page. */
export function App() {
  const [exchanges, setExchanges] = useState<readonly LiveExchange[]>([]);
  useEffect(() => {
    const source = new EventSource(LIVE_PATHS.events);
    source.addEventListener('exchanges', (event: MessageEvent<string>) => {
      const told = JSON.parse(event.data) as readonly LiveExchange[];
      setExchanges((before) => [...before, ...told]);
    });
    return () => source.close();
  }, []);
  return (
    <ol>
      {exchanges.map(({ from, meaning, method, path, seq, status, to }) => (
        <li key={seq}>
          {from} → {to} {method} {path} {status} {meaning}
        </li>
      ))}
    </ol>
  );
}
