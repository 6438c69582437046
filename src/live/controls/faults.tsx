import { useState } from 'preact/hooks';
import type { LiveParty } from '../../mock/live/model.ts';
import { ActButton } from '../parts/act-button.tsx';
import { hasWords } from '../parts/texts.ts';
import { useView } from '../state/use-live.ts';

type Fault = LiveParty['faults'][number];

/** Ways to be wrong, each switched on and off. */
export function Faults({ party: { faults, role } }: { readonly party: LiveParty }) {
  const { act, state } = useView();
  const [text, setText] = useState('');
  const found = findFaults(faults, text);
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

/** The faults that have each of the words in their name or description; what is on comes first. */
function findFaults(faults: readonly Fault[], text: string): readonly Fault[] {
  const found = faults.filter(({ description, name }) =>
    hasWords(`${name} ${name.replaceAll('-', ' ')} ${description}`, text),
  );
  return found.toSorted((one, other) => Number(other.on) - Number(one.on));
}

/** The names that are on after one was switched. */
function switched(faults: readonly Fault[], name: string): readonly string[] {
  return faults.filter((each) => each.on !== (each.name === name)).map((each) => each.name);
}
