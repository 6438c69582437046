import type { LiveParty } from '../../mock/live/model.ts';
import type { Actions } from '../actions/use-actions.ts';
import { SureButton } from '../parts/sure-button.tsx';
import { Line, LongText } from '../parts/text.tsx';
import { ClockControls } from './clock-controls.tsx';
import { Faults } from './faults.tsx';

interface ControlsProps {
  readonly parties: readonly LiveParty[];
  readonly actions: Actions;
  readonly can: ReadonlySet<string>;
  /** After everything was reset. */
  readonly wasReset: () => void;
}

/** The buttons of the mocks: what is for both, and what each has of its own. */
export function Controls({ actions, can, parties, wasReset }: ControlsProps) {
  const reset = async () => {
    if ((await actions.act('reset', {})).ok) wasReset();
  };
  return (
    <>
      {can.has('clock') && <ClockControls actions={actions} />}
      {parties.map((party) => (
        <PartyControls key={party.role} party={party} actions={actions} />
      ))}
      {can.has('reset') && (
        <section class="controls" aria-labelledby="reset-title">
          <h3 id="reset-title">Reset</h3>
          <p class="fine">
            Registrations, users, mails, faults and the clock are as at the start. The signing keys
            stay.
          </p>
          <p class="buttons">
            <SureButton
              text="Reset everything"
              question="All registrations end. Sure?"
              act={() => void reset()}
            />
          </p>
        </section>
      )}
    </>
  );
}

function PartyControls({
  actions,
  party,
}: {
  readonly party: LiveParty;
  readonly actions: Actions;
}) {
  const { controls, dialect, issuer, name, role } = party;
  const title = `party-${role}`;
  return (
    <section class="controls" aria-labelledby={title}>
      <h3 id={title}>
        <Line text={name} /> <span class="fine">{role}</span>
      </h3>
      <p class="fine mono">
        <LongText text={issuer} most={200} />
      </p>
      {dialect !== null && <p class="fine">It speaks the dialect {dialect}.</p>}
      {controls.includes('rotate') && (
        <p class="buttons">
          <button
            type="button"
            class="secondary"
            aria-disabled={actions.isBusy}
            onClick={() => void actions.act('rotate', { role })}
          >
            Rotate its keys
          </button>
        </p>
      )}
      {controls.includes('faults') && <Faults party={party} actions={actions} />}
    </section>
  );
}
