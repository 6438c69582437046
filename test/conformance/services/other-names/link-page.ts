import { html, page, type Session, sameText } from '../support.ts';
import type { AgentRecord } from './agent-record.ts';
import type { Desk } from './desk.ts';
import { formKey, readSubmission, signInFirst, strangeForm } from './visitors.ts';

/** GET /auth/link, the `verification_uri`. */
export function showLink(desk: Desk, request: Request): Response {
  const ref = new URL(request.url).searchParams.get('ref') ?? '';
  const session = desk.sessions.find(request);
  if (session?.email === undefined) {
    return signInFirst(desk, request, `/auth/link?ref=${encodeURIComponent(ref)}`);
  }
  const agent = desk.registry.findOpen(ref);
  if (agent === undefined) return gone();
  return agent.holder === session.email ? linkPage(200, agent, session) : notYours();
}

/** POST /auth/agent/identity/claim/complete */
export async function answerLink(desk: Desk, request: Request): Promise<Response> {
  const submission = await readSubmission(desk, request);
  if (submission?.session.email === undefined) return strangeForm();
  const { form, session } = submission;
  const agent = desk.registry.findOpen(form.get('claim_attempt_token') ?? '');
  if (agent?.ceremony === undefined) return gone();
  if (agent.holder !== submission.session.email) return notYours();
  if (form.get('answer') === 'refuse') return turnDown(agent);
  if (!sameText(normalize(form.get('user_code')), normalize(agent.ceremony.code))) {
    agent.ceremony.triesLeft -= 1;
    return agent.ceremony.triesLeft > 0 ? linkPage(422, agent, session) : gone();
  }
  desk.registry.giveTo(agent, submission.session.email);
  return page(200, 'Linked', html`<p>The agent is yours now. Go back to it.</p>`);
}

/** People type codes in lower case, and with or without the dash. */
function normalize(code: string | undefined): string {
  return (code ?? '').toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function turnDown(agent: AgentRecord): Response {
  agent.state = 'turned-down';
  delete agent.ceremony;
  return page(200, 'Not linked', html`<p>The agent gets nothing.</p>`);
}

function linkPage(status: number, agent: AgentRecord, session: Session): Response {
  const hint = status === 200 ? '' : 'This is not the code that the agent shows.';
  return page(
    status,
    'Link an agent to your notes?',
    html`<p>${hint}</p>
<p>It could read and write your notes, ${session.email ?? ''}. If you did not start this, refuse.</p>
<form method="post" action="/auth/agent/identity/claim/complete">${formKey(session)}
<input type="hidden" name="claim_attempt_token" value="${agent.ceremony?.ref ?? ''}">
<label>Code <input name="user_code" autocomplete="off" autocapitalize="characters"></label>
<button name="answer" value="link">Link</button>
<button name="answer" value="refuse">Refuse</button></form>`,
  );
}

function gone(): Response {
  return page(410, 'This link is over', html`<p>Ask the agent for a new one.</p>`);
}

function notYours(): Response {
  return page(
    403,
    'Not for you',
    html`<p>This link is meant for another account.</p><p><a href="/auth/hello">Be another</a></p>`,
  );
}
