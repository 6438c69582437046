import { useState } from 'preact/hooks';
import type { LiveParty } from '../../mock/live/model.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Line, LongText } from '../parts/text.tsx';
import { hasWords } from '../parts/texts.ts';
import { useView } from '../state/use-live.ts';

/** The buttons of the mocks: what is for both, and what each has of its own. */
export function Controls() {
  const { state } = useView();
  return (
    <>
      <ClockControls />
      {state.snapshot?.parties.map((party) => (
        <PartyControls key={party.role} party={party} />
      ))}
      <section aria-labelledby="reset-title">
        <h3 id="reset-title">Reset</h3>
        <p class="fine">
          Registrations, users, mails, faults and the clock are as at the start. The signing keys
          stay.
        </p>
        <p class="buttons">
          <ActButton name="reset" given={{}} question="All registrations end. Sure?">
            Reset everything
          </ActButton>
        </p>
      </section>
    </>
  );
}

const STEPS = ['1m', '11m', '1h', '25h'] as const;

/** Moves the mocks' clock, which only goes forward. */
function ClockControls() {
  const { act } = useView();
  const [own, setOwn] = useState('');
  return (
    <section aria-labelledby="clock-title">
      <h3 id="clock-title">Clock</h3>
      <p class="fine">
        Time goes on at once for the mocks: codes, tokens and registrations run out.
      </p>
      <p class="buttons">
        {STEPS.map((step) => (
          <ActButton key={step} name="clock" given={{ advance: step }}>
            +{step}
          </ActButton>
        ))}
      </p>
      <form
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          void act('clock', { advance: own.trim() }).then((isDone) => isDone && setOwn(''));
        }}
      >
        <input
          aria-label="How far, such as 90s or 2h"
          placeholder="90s, 2h, 3d…"
          value={own}
          maxLength={20}
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
        <button type="submit" disabled={own.trim() === ''}>
          Advance
        </button>
      </form>
    </section>
  );
}

function PartyControls({ party }: { readonly party: LiveParty }) {
  const { dialect, issuer, name, role } = party;
  const title = `party-${role}`;
  return (
    <section aria-labelledby={title}>
      <h3 id={title}>
        <Line text={name} /> <span class="fine">{role}</span>
      </h3>
      <p class="fine mono">
        <LongText text={issuer} most={200} />
      </p>
      {dialect !== null && <p class="fine">It speaks the dialect {dialect}.</p>}
      <p class="buttons">
        <ActButton name="rotate" given={{ role }}>
          Rotate its keys
        </ActButton>
      </p>
      <Faults party={party} />
    </section>
  );
}

/** Ways to be wrong, each switched on and off. */
function Faults({ party: { faults, role } }: { readonly party: LiveParty }) {
  const { act, state } = useView();
  const [text, setText] = useState('');
  // What is on comes first.
  const found = faults
    .filter(({ description, name }) =>
      hasWords(`${name} ${name.replaceAll('-', ' ')} ${description}`, text),
    )
    .toSorted((one, other) => Number(other.on) - Number(one.on));
  const on = faults.filter((fault) => fault.on).length;
  return (
    <details class="faults">
      <summary>
        <b>Faults</b>{' '}
        <span class="fine">{on === 0 ? `${faults.length} to choose from` : `${on} on`}</span>
      </summary>
      <div class="buttons">
        <input
          type="search"
          aria-label={`Find a fault of the ${role}`}
          placeholder="Find a fault…"
          value={text}
          maxLength={100}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {on > 0 && (
          <ActButton name="faults" given={{ role, faults: [] }}>
            All off
          </ActButton>
        )}
      </div>
      <ul>
        {found.map(({ description, name, on: isOn }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                aria-disabled={state.isBusy}
                onChange={() => void act('faults', { role, faults: switched(faults, name) })}
              />
              <span>
                <b class="mono">{name}</b>
                <span class="fine">{description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="fine">No fault is called that.</p>}
    </details>
  );
}

/** The names that are on after one was switched. */
function switched(faults: LiveParty['faults'], name: string): readonly string[] {
  return faults.filter((each) => each.on !== (each.name === name)).map((each) => each.name);
}
