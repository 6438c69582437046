import { useView } from './state/use-live.ts';
import type { PaneId, ViewState } from './state/view-state.ts';

export const PANE_NAMES: Readonly<Record<PaneId, string>> = {
  exchanges: 'Exchanges',
  registrations: 'Registrations',
  mails: 'Mails',
  controls: 'Controls',
};

/** A number beside the name; none for 0. */
function countOf(id: PaneId, { snapshot }: ViewState): number {
  const waiting = snapshot?.registrations.filter(({ attempt }) => attempt !== null) ?? [];
  if (id === 'registrations') return waiting.length;
  return id === 'mails' ? (snapshot?.mails.length ?? 0) : 0;
}

interface TabsProps {
  readonly ids: readonly PaneId[];
  readonly chosen: PaneId;
  readonly label: string;
}

/** The tabs, of which one pane is shown. */
export function Tabs({ chosen, ids, label }: TabsProps) {
  const { state, tell } = useView();
  return (
    <nav class="tabs" aria-label={label}>
      {ids.map((id) => {
        const count = countOf(id, state);
        return (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            class="quiet tab"
            aria-current={id === chosen}
            onClick={() => tell({ pane: id, opened: undefined })}
          >
            {PANE_NAMES[id]}
            {count > 0 && <span class="badge count">{count}</span>}
          </button>
        );
      })}
    </nav>
  );
}
