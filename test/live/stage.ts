import type { MockService } from '../../src/mock-service/index.ts';
import { claimGrantType } from '../../src/protocol/index.ts';
import { runAllFlows } from '../mock/traffic/all-flows.ts';
import { LivePlace } from './live-place.ts';
import { at, stagedRegistration, stagedSnapshot } from './staged-snapshot.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Every flow has run; now somebody is to type a code, and the agent polls. */
export async function stageMidFlow(root: string) {
  const flows = await runAllFlows({ start: Date.UTC(2026, 0, 5, 9, 30) });
  const { clock, fetch, log, service } = flows;
  const ended = await service.controls.registrations();
  const answer = await fetch(`${service.issuer}/agent/identity`, {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ type: 'service_auth', login_hint: 'carol@example.com' }),
  });
  const opened = (await answer.json()) as {
    readonly registration_id: string;
    readonly claim_token: string;
    readonly claim: { readonly user_code: string };
  };
  const body = new URLSearchParams({
    grant_type: claimGrantType('vendor'),
    claim_token: opened.claim_token,
  }).toString();
  const poll = async () => {
    clock.advance(5_000);
    await fetch(`${service.issuer}/oauth2/token`, { method: 'POST', headers: FORM, body });
  };
  for (let polls = 0; polls < 7; polls += 1) await poll();
  const now = clock.now();
  const place = await LivePlace.open({
    root,
    log,
    snapshot: stagedSnapshot({
      now,
      offset: 11 * 60_000,
      registrations: [
        stagedRegistration({
          id: opened.registration_id,
          state: 'pending',
          email: 'c…@example.com',
          agent_name: 'Cleo',
          created_at: at(now - 35_000),
          ends_at: at(now + 23 * 3_600_000),
          attempt: {
            user_code: opened.claim.user_code,
            page: '/claim?attempt=1',
            expires_at: at(now + 565_000),
            wrong_codes: 1,
          },
          history: [
            { at: at(now - 35_000), actor: 'agent', action: 'registration.created' },
            { at: at(now - 35_000), actor: 'agent', action: 'claim.started' },
            { at: at(now - 12_000), actor: 'user c…@example.com', action: 'claim.code_wrong' },
          ],
        }),
        ...ended.map(({ createdAt, facts, state }) =>
          stagedRegistration({
            id: facts.id,
            type: facts.type,
            state,
            email: facts.email ?? null,
            created_at: at(createdAt),
            history: [
              { at: at(createdAt), actor: 'agent', action: 'registration.created' },
              { at: at(createdAt + 2_000), actor: 'agent', action: 'claim.started' },
              {
                at: at(createdAt + 9_000),
                actor: 'user a…@example.com',
                action: 'claim.completed',
              },
            ],
          }),
        ),
      ],
      mails: [
        {
          at: at(now - 1_000),
          to: 'carol@example.com',
          subject: 'Somebody asks for access',
          text: 'An agent asks for access to your account.\n\nIf that was you: http://127.0.0.1:4800/c/1\n',
        },
        ...(await mailsOf(service)),
      ],
    }),
  });
  return { ...flows, place, poll, registration: opened.registration_id };
}

async function mailsOf(service: MockService) {
  const mails = await service.controls.mails();
  return mails.map(({ sentAt, subject, text, to }) => ({ at: at(sentAt), to, subject, text }));
}
