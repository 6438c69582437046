import { displayUserCode } from '../../protocol/user-code.ts';
import { ActButton } from '../parts/act-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { LongText } from '../parts/text.tsx';
import { pageUrl, visibleLine } from '../parts/texts.ts';
import { Timer } from '../parts/timer.tsx';
import { useView } from '../state/use-live.ts';
import { isPassive } from '../state/view-state.ts';
import { Registration, type RegistrationProps } from './registration.tsx';

/** What waits for a user first, then each registration with where it stands. */
export function Registrations() {
  const { state } = useView();
  const registrations = state.snapshot?.registrations ?? [];
  const open = registrations.filter(({ attempt }) => attempt !== null);
  if (registrations.length === 0) {
    return (
      <div class="nothing">
        <p>No agent has registered yet.</p>
        <p>
          {isPassive(state)
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
            {open.map((registration) => (
              <OpenClaim key={registration.id} registration={registration} />
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="all-registrations">
        <h3 id="all-registrations">All, newest first</h3>
        <ul class="folded registrations">
          {registrations.map((registration) => (
            <Registration key={registration.id} registration={registration} />
          ))}
        </ul>
      </section>
    </>
  );
}

/** A claim that waits for its user, as a mock knows it: the code, the page, and what its user could decide. */
function OpenClaim({ registration }: RegistrationProps) {
  const { agent_name: name, attempt, email, id } = registration;
  if (attempt === null) return null;
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
        <p class="line">
          <output class="user-code" aria-label={`Code ${[...visibleLine(code, 40)].join(' ')}`}>
            {visibleLine(displayUserCode(code), 40)}
          </output>
          <CopyButton label="Copy the code" text={code} />
        </p>
      )}
      <p class="line fine">
        <Timer until={until} label="Open for" />
        {wrong > 0 && <span>{wrong === 1 ? '1 wrong code' : `${wrong} wrong codes`}</span>}
      </p>
      <p class="buttons">
        {url !== undefined && (
          <a class="button" href={url} target="_blank" rel="noopener noreferrer">
            Open the page
            <Icon name="out" />
          </a>
        )}
        <ActButton name="complete" given={given}>
          Complete
        </ActButton>
        <ActButton name="deny" given={given} isDanger={true}>
          Deny
        </ActButton>
      </p>
    </li>
  );
}
