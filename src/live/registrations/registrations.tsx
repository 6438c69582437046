import { useState } from 'preact/hooks';
import type { LiveRegistration } from '../../mock/live/model.ts';
import type { Actions } from '../actions/use-actions.ts';
import type { ViewState } from '../state/view-state.ts';
import { OpenClaim } from './open-claim.tsx';
import { Registration } from './registration.tsx';

interface RegistrationsProps {
  readonly state: ViewState;
  readonly actions: Actions;
  readonly can: ReadonlySet<string>;
  readonly showExchanges: (id: string) => void;
}

const NONE: readonly LiveRegistration[] = [];

/** What waits for a user first, then each registration with where it stands. */
export function Registrations({ actions, can, showExchanges, state }: RegistrationsProps) {
  const [opened, setOpened] = useState<string>();
  const registrations = state.snapshot?.registrations ?? NONE;
  const open = registrations.flatMap((registration) =>
    registration.attempt === null ? [] : [{ registration, attempt: registration.attempt }],
  );
  if (registrations.length === 0) {
    return (
      <div class="nothing">
        <p>No agent has registered yet.</p>
        <p>
          {can.size === 0
            ? 'Any agent that you point at the proxy, and that registers, shows here.'
            : 'Point an agent at the service: agent-auth connect.'}
        </p>
      </div>
    );
  }
  return (
    <>
      {open.length > 0 && (
        <section aria-labelledby="waiting">
          <h3 id="waiting">Waiting for a user</h3>
          <ul class="claims">
            {open.map(({ attempt, registration }) => (
              <OpenClaim
                key={registration.id}
                state={state}
                registration={registration}
                attempt={attempt}
                actions={actions}
                can={can}
              />
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="all-registrations">
        <h3 id="all-registrations">All, newest first</h3>
        <ul class="registrations">
          {registrations.map((registration) => (
            <Registration
              key={registration.id}
              state={state}
              registration={registration}
              isOpen={registration.id === opened}
              toggle={() => setOpened(registration.id === opened ? undefined : registration.id)}
              actions={actions}
              can={can}
              showExchanges={showExchanges}
            />
          ))}
        </ul>
      </section>
    </>
  );
}
