import type { LiveRegistration } from '../../mock/live/model.ts';
import type { Actions } from '../actions/use-actions.ts';
import { StateBadge } from '../parts/badges.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { SureButton } from '../parts/sure-button.tsx';
import { Fact, Line, LongText, RegistrationId } from '../parts/text.tsx';
import { timeOfDay } from '../parts/texts.ts';
import { Timer } from '../parts/timer.tsx';
import type { ViewState } from '../state/view-state.ts';
import { StateDiagram } from './state-diagram.tsx';
import { wayTaken } from './way-taken.ts';

interface RegistrationProps {
  readonly state: ViewState;
  readonly registration: LiveRegistration;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly actions: Actions;
  readonly can: ReadonlySet<string>;
  readonly showExchanges: (id: string) => void;
}

/** A registration in a line, which unfolds. */
export function Registration(props: RegistrationProps) {
  const { isOpen, registration, toggle } = props;
  const { agent_name: name, email, id, state, type } = registration;
  return (
    <li class={isOpen ? 'registration open' : 'registration'}>
      <button type="button" class="quiet unfold" aria-expanded={isOpen} onClick={toggle}>
        <StateBadge state={state} />
        <span class="known-as">
          <span class="cut">
            <Line text={email ?? name ?? id} />
          </span>
          {(email ?? name) !== null && <RegistrationId id={id} />}
        </span>
        <span class="fine">{type.replaceAll('_', ' ')}</span>
        <Icon name="behind" />
      </button>
      {isOpen && <Unfolded {...props} />}
    </li>
  );
}

function Unfolded({ actions, can, registration, showExchanges, state }: RegistrationProps) {
  const { agent_name: name, attempt, created_at: createdAt, ends_at: endsAt, id } = registration;
  const { specification_state: specified } = registration;
  return (
    <div class="unfolded">
      <StateDiagram state={registration.state} way={wayTaken(registration)} />
      <p class="timers fine">
        {attempt !== null && <Timer state={state} until={attempt.expires_at} label="Code" />}
        {endsAt !== null && <Timer state={state} until={endsAt} label="Claimable for" />}
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
            <span>{action.replaceAll(/[._]/g, ' ')}</span>
            <span class="fine">
              <Line text={actor} />
            </span>
          </li>
        ))}
      </ol>
      <p class="buttons">
        <button type="button" class="secondary" onClick={() => showExchanges(id)}>
          Its exchanges
        </button>
        {can.has('revoke') && registration.state !== 'revoked' && (
          <SureButton
            text="Revoke"
            question="Revoke it?"
            act={() => void actions.act('revoke', { registration_id: id })}
          />
        )}
      </p>
    </div>
  );
}
