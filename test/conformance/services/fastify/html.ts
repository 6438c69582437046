import type { Agent } from './agents.ts';

/** HTML that is safe as it stands. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[];

/** Fills a template: strings are escaped, HTML is not. */
function h(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = parts.map((part) => {
    if (typeof part === 'string') {
      return part.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
    }
    return part instanceof Html ? part.text : part.map(({ text }) => text).join('\n');
  });
  return new Html(String.raw({ raw: strings }, ...written));
}

function layout(title: string, body: Html): string {
  return h`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>
${body}
</body></html>
`.text;
}

/** `way` is HTML of ours. */
export function document(title: string, message: string, way = ''): string {
  return layout(title, h`<p>${message}</p>${new Html(way)}`);
}

export function signInPage(csrf: string, target: string, note = ''): string {
  return layout(
    'Sign in',
    h`<p role="alert">${note}</p><p>Only for tests: no password is asked for.</p>
<form method="post" action="/login">
<input type="hidden" name="csrf_token" value="${csrf}">
<input type="hidden" name="return_to" value="${target}">
<label>Email <input type="email" name="email" required></label>
<button>Sign in</button>
</form>`,
  );
}

export function leaveForm(csrf: string, target: string): string {
  return leave(csrf, target).text;
}

function leave(csrf: string, target: string): Html {
  return h`<form method="post" action="/logout">
<input type="hidden" name="csrf_token" value="${csrf}">
<input type="hidden" name="return_to" value="${target}">
<button>Use another account</button>
</form>`;
}

interface ClaimPage {
  readonly agent: Agent;
  readonly link: string;
  readonly csrf: string;
  readonly email: string;
  /** Whether no other agent acts for this account. */
  readonly first: boolean;
  readonly note?: string;
}

export function claimPage({ agent, link, csrf, email, first, note = '' }: ClaimPage): string {
  const who = agent.subject === undefined ? 'An agent' : `An agent of ${agent.subject.issuer}`;
  const advice = first ? 'This would be the first agent on this account.' : '';
  return layout(
    'An agent wants to act for you',
    h`<p role="alert">${note}</p>
<p>You are signed in as <strong>${email}</strong>. ${who} asks for: ${agent.scopes.join(', ')}. ${advice}</p>
<p>If you have not just asked an agent for this, deny it.</p>
<form method="post" action="/agent/identity/claim/complete">
<input type="hidden" name="csrf_token" value="${csrf}">
<input type="hidden" name="claim_attempt_token" value="${link}">
<label>The code that your agent shows <input name="user_code" autocomplete="off"></label>
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>
${leave(csrf, `/claim?claim_attempt_token=${link}`)}`,
  );
}

export function connectionsPage(email: string, csrf: string, agents: readonly Agent[]): string {
  const rows = agents.map(
    (agent) => h`<li>${named(agent)}
<form method="post" action="/connections/end">
<input type="hidden" name="csrf_token" value="${csrf}">
<input type="hidden" name="registration_id" value="${agent.id}">
<button>End</button>
</form></li>`,
  );
  return layout('Your agents', h`<p>${email}</p><ul>${rows}</ul>${leave(csrf, '/connections')}`);
}

/** Before anything else: who was let in before the user ever came. */
export function reviewPage(csrf: string, target: string, agents: readonly Agent[]): string {
  return layout(
    'Is this link yours?',
    h`<p>This account was made for an agent before you signed in.</p>
<ul>${agents.map((agent) => h`<li>${named(agent)}</li>`)}</ul>
<form method="post" action="/review">
<input type="hidden" name="csrf_token" value="${csrf}">
<input type="hidden" name="return_to" value="${target}">
<button name="decision" value="keep">Keep it</button>
<button name="decision" value="end">End it</button>
</form>`,
  );
}

function named({ subject, scopes, id }: Agent): string {
  return `${subject?.issuer ?? `Agent ${id.slice(-6)}`}: ${scopes.join(', ')}`;
}
