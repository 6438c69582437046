import type { LiveService } from '../../mock/live/live-part.ts';
import type { LiveMail, LiveRegistration } from '../../mock/live/model.ts';
import type { DialectId } from '../../protocol/constants.ts';
import { instant } from '../../protocol/instant.ts';
import { specificationState } from '../../protocol/states.ts';
import { claimLink } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { InspectedRegistration, ServiceControls } from '../controls/service-controls.ts';

/** How many registrations and mails are shown. */
const SHOWN = 100;

/** A service as the live view shows it: with the codes and links of its open claims. */
export function liveService(
  controls: ServiceControls,
  mock: () => ServiceContext,
  dialect: DialectId,
): LiveService {
  return {
    dialect,
    registrations: async () => {
      const latest = await controls.registrations(SHOWN);
      const service = mock();
      return latest.map((each) => toLive(service, each));
    },
    mails: async () => {
      const mails = await controls.mails({ limit: SHOWN });
      return mails.map(
        ({ sentAt, subject, text, to }): LiveMail => ({ at: instant(sentAt), to, subject, text }),
      );
    },
    decide: async (decision, id) => (await controls[decision](id)).state,
  };
}

function toLive(service: ServiceContext, registration: InspectedRegistration) {
  const { agentName, createdAt, facts, state } = registration;
  return {
    id: facts.id,
    type: facts.type,
    state,
    specification_state: specificationState(state, facts.type),
    email: facts.email ?? null,
    agent_name: agentName ?? null,
    created_at: instant(createdAt),
    ends_at: ENDED.has(state) ? null : instant(facts.windowEndsAt),
    attempt: state === 'pending' ? toAttempt(service, registration) : null,
  };
}

/** The states that end by what somebody does, or have ended. */
const ENDED: ReadonlySet<string> = new Set(['claimed', 'expired', 'revoked']);

function toAttempt(
  { config, dialect, secrets }: ServiceContext,
  { facts: { attempt }, userCode }: InspectedRegistration,
): LiveRegistration['attempt'] {
  if (attempt === undefined) return null;
  const shown = secrets.shown.find(attempt.id);
  // Where the page shows the code, there is none before its user has confirmed.
  const code = dialect.approval === 'confirm' ? userCode : shown?.userCode;
  return {
    user_code: code ?? null,
    page: shown === undefined ? null : claimLink(config.issuer, shown.token),
    expires_at: instant(attempt.expiresAt),
    wrong_codes: attempt.wrongCodes,
  };
}
