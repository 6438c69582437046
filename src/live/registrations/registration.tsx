import { useState } from 'preact/hooks';
import type { LiveRegistration } from '../../mock/live/model.ts';
import { ActButton } from '../parts/act-button.tsx';
import { StateBadge } from '../parts/badges.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Fact, Line, LongText, RegistrationId } from '../parts/text.tsx';
import { asWords, timeOfDay } from '../parts/texts.ts';
import { Timer } from '../parts/timer.tsx';
import { useView } from '../state/use-live.ts';
import { isPassive, onlyOf } from '../state/view-state.ts';
import { StateDiagram } from './state-diagram.tsx';
import { wayTaken } from './way-taken.ts';

export interface RegistrationProps {
  readonly registration: LiveRegistration;
}

/** A registration in a line, which unfolds; one at a time. */
export function Registration({ registration }: RegistrationProps) {
  const [isOpen, setOpen] = useState(false);
  const { agent_name: name, email, id, state, type } = registration;
  return (
    <li>
      <details name="registration" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="unfold">
          <StateBadge state={state} />
          <span class="known-as">
            <span class="cut">
              <Line text={email ?? name ?? id} />
            </span>
            {(email ?? name) !== null && <RegistrationId id={id} />}
          </span>
          <span class="fine">{asWords(type)}</span>
          <Icon name="behind" />
        </summary>
        {isOpen && <Unfolded registration={registration} />}
      </details>
    </li>
  );
}

function Unfolded({ registration }: RegistrationProps) {
  const { state, tell } = useView();
  const { agent_name: name, attempt, created_at: createdAt, ends_at: endsAt, id } = registration;
  const { specification_state: specified } = registration;
  return (
    <div class="unfolded">
      <StateDiagram state={registration.state} way={wayTaken(registration)} />
      <p class="line fine">
        {attempt !== null && <Timer until={attempt.expires_at} label="Code" />}
        {endsAt !== null && <Timer until={endsAt} label="Claimable for" />}
      </p>
      <dl class="facts-list">
        <Fact name="Id" isMono={true}>
          <LongText text={id} most={100} />
          <CopyButton label="Copy the id" text={id} />
        </Fact>
        {specified !== null && <Fact name="State">{specified}, as the specification says</Fact>}
        {name !== null && (
          <Fact name="Agent">
            <span class="own-words">
              <LongText text={name} most={200} />
            </span>{' '}
            <span class="fine">as it calls itself</span>
          </Fact>
        )}
        <Fact name="Created">{timeOfDay(createdAt)} UTC</Fact>
      </dl>
      <h4>History</h4>
      <ol class="history">
        {registration.history.map(({ action, actor, at }, index) => (
          <li key={index}>
            <time>{timeOfDay(at)}</time>
            <span>{asWords(action)}</span>
            <span class="fine">
              <Line text={actor} />
            </span>
          </li>
        ))}
      </ol>
      <p class="buttons">
        <button type="button" onClick={() => tell(onlyOf(id))}>
          Its exchanges
        </button>
        {!isPassive(state) && registration.state !== 'revoked' && (
          <ActButton name="revoke" given={{ registration_id: id }} question="Revoke it?">
            Revoke
          </ActButton>
        )}
      </p>
    </div>
  );
}
