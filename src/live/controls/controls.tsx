import { useState } from 'preact/hooks';
import type { LiveParty } from '../../mock/live/model.ts';
import { ActButton } from '../actions/act-button.tsx';
import type { Actions } from '../actions/use-actions.ts';
import { SureButton } from '../parts/sure-button.tsx';
import { Line, LongText } from '../parts/text.tsx';
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

const STEPS = ['1m', '11m', '1h', '25h'] as const;

/** Moves the mocks' clock, which only goes forward. */
function ClockControls({ actions }: { readonly actions: Actions }) {
  const [own, setOwn] = useState('');
  return (
    <section class="controls" aria-labelledby="clock-title">
      <h3 id="clock-title">Clock</h3>
      <p class="fine">
        Time goes on at once for the mocks: codes, tokens and registrations run out.
      </p>
      <p class="buttons">
        {STEPS.map((step) => (
          <ActButton key={step} actions={actions} name="clock" given={{ advance: step }}>
            +{step}
          </ActButton>
        ))}
      </p>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          void actions.act('clock', { advance: own.trim() }).then(({ ok }) => ok && setOwn(''));
        }}
      >
        <input
          aria-label="How far, such as 90s or 2h"
          placeholder="90s, 2h, 3d…"
          value={own}
          maxLength={20}
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
        <button type="submit" class="secondary" disabled={own.trim() === ''}>
          Advance
        </button>
      </form>
    </section>
  );
}

interface PartyControlsProps {
  readonly party: LiveParty;
  readonly actions: Actions;
}

function PartyControls({ actions, party }: PartyControlsProps) {
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
          <ActButton actions={actions} name="rotate" given={{ role }}>
            Rotate its keys
          </ActButton>
        </p>
      )}
      {controls.includes('faults') && <Faults party={party} actions={actions} />}
    </section>
  );
}
