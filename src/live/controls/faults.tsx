import { useState } from 'preact/hooks';
import type { LiveParty } from '../../mock/live/model.ts';
import type { Actions } from '../actions/use-actions.ts';
import { findFaults, switched } from './find-faults.ts';

interface FaultsProps {
  readonly party: LiveParty;
  readonly actions: Actions;
}

/** So many are listed before more of the name has to be typed. */
const MOST = 40;

/** Ways to be wrong, each switched on and off. */
export function Faults({ actions, party: { faults, role } }: FaultsProps) {
  const [text, setText] = useState('');
  const found = findFaults(faults, text);
  const on = faults.filter((fault) => fault.on).length;
  const shown = found.slice(0, Math.max(MOST, on));
  const set = (names: readonly string[]) => void actions.act('faults', { role, faults: names });
  return (
    <details class="faults">
      <summary>
        Faults <span class="fine">{on === 0 ? `${faults.length} to choose from` : `${on} on`}</span>
      </summary>
      <div class="find">
        <input
          type="search"
          aria-label={`Find a fault of the ${role}`}
          placeholder="Find a fault…"
          value={text}
          maxLength={100}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {on > 0 && (
          <button
            type="button"
            class="secondary"
            aria-disabled={actions.isBusy}
            onClick={() => set([])}
          >
            All off
          </button>
        )}
      </div>
      <ul>
        {shown.map(({ description, name, on: isOn }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                aria-disabled={actions.isBusy}
                onChange={(event) => set(switched(faults, name, event.currentTarget.checked))}
              />
              <span>
                <b class="mono">{name}</b>
                <span class="fine">{description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p class="fine">
        {found.length > shown.length
          ? `${shown.length} of ${found.length}: type to find others.`
          : found.length === 0 && 'No fault is called that.'}
      </p>
    </details>
  );
}
