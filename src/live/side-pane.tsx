import type { Actions } from './actions/use-actions.ts';
import { Controls } from './controls/controls.tsx';
import { Mails } from './mails/mails.tsx';
import { Pane, type Tab } from './parts/tabs.tsx';
import { Registrations } from './registrations/registrations.tsx';
import { isPassive, type ViewState } from './state/view-state.ts';

const NAMES = {
  registrations: 'Registrations',
  mails: 'Mails',
  controls: 'Controls',
} as const;

export type SideId = keyof typeof NAMES;

const IDS = Object.keys(NAMES) as readonly SideId[];

export function sideTabs(state: ViewState): readonly Tab<SideId>[] {
  const { snapshot } = state;
  const counts: Partial<Record<SideId, number>> = {
    registrations: snapshot?.registrations.filter(({ attempt }) => attempt !== null).length ?? 0,
    mails: snapshot?.mails.length ?? 0,
  };
  const ids = isPassive(state) ? IDS.slice(0, 1) : IDS;
  return ids.map((id) => ({ id, name: NAMES[id], count: counts[id] }));
}

interface SidePaneProps {
  readonly id: SideId;
  readonly state: ViewState;
  readonly actions: Actions;
  readonly showExchanges: (id: string) => void;
  readonly wasReset: () => void;
}

/** What there is beside the exchanges. */
export function SidePane({ actions, id, showExchanges, state, wasReset }: SidePaneProps) {
  const parties = state.snapshot?.parties ?? [];
  const can = new Set<string>(parties.flatMap(({ controls }) => controls));
  return (
    <Pane id={id}>
      <h2 class="aside">{NAMES[id]}</h2>
      {id === 'registrations' && (
        <Registrations state={state} actions={actions} can={can} showExchanges={showExchanges} />
      )}
      {id === 'mails' && <Mails mails={state.snapshot?.mails ?? []} />}
      {id === 'controls' && (
        <Controls parties={parties} actions={actions} can={can} wasReset={wasReset} />
      )}
    </Pane>
  );
}
