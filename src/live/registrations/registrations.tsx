import { useState } from 'preact/hooks';
import type { LiveAttempt, LiveRegistration } from '../../mock/live/model.ts';
import { ActButton } from '../actions/act-button.tsx';
import type { Actions } from '../actions/use-actions.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { LongText } from '../parts/text.tsx';
import { groupCode, pageUrl, visibleLine } from '../parts/texts.ts';
import { Timer } from '../parts/timer.tsx';
import type { ViewState } from '../state/view-state.ts';
import { Registration } from './registration.tsx';

interface OpenClaimProps {
  readonly state: ViewState;
  readonly registration: LiveRegistration;
  readonly attempt: LiveAttempt;
  readonly actions: Actions;
  /** Which buttons there are. */
  readonly can: ReadonlySet<string>;
}

/** A claim that waits for its user: the code, the page, and what its user could decide. */
function OpenClaim({ actions, attempt, can, registration, state }: OpenClaimProps) {
  const { agent_name: name, email, id } = registration;
  const { expires_at: until, page, user_code: code, wrong_codes: wrong } = attempt;
  const given = { registration_id: id };
  const url = page === null ? undefined : pageUrl(page, location.origin);
  return (
    <li class="claim">
      <p class="who">
        <LongText text={email ?? 'Any user'} most={80} />
        {name !== null && (
          <span class="own-words" title="As the agent calls itself">
            “<LongText text={name} most={80} />”
          </span>
        )}
      </p>
      {code === null ? (
        <p class="fine">The code is not shown here: it is in the mail, or on the page.</p>
      ) : (
        <p class="code-line">
          <output class="user-code" aria-label={`Code ${[...visibleLine(code, 40)].join(' ')}`}>
            {visibleLine(groupCode(code), 40)}
          </output>
          <CopyButton label="Copy the code" text={code} />
        </p>
      )}
      <p class="fine">
        <Timer state={state} until={until} label="Open for" />
        {wrong > 0 && <span>{wrong === 1 ? '1 wrong code' : `${wrong} wrong codes`}</span>}
      </p>
      <p class="buttons">
        {url !== undefined && (
          <a class="button" href={url} target="_blank" rel="noopener noreferrer">
            Open the page
            <Icon name="out" />
          </a>
        )}
        {can.has('complete') && (
          <ActButton actions={actions} name="complete" given={given}>
            Complete
          </ActButton>
        )}
        {can.has('deny') && (
          <ActButton actions={actions} name="deny" given={given} isDanger={true}>
            Deny
          </ActButton>
        )}
      </p>
    </li>
  );
}

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
