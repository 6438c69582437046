import { type CountdownView, countdownView } from '../../mock/pages/countdown-view.ts';
import { html, type View } from '../../mock/pages/html.ts';
import { displayText } from '../../protocol/text.ts';

const TYPE_TEXT = {
  anonymous: 'An agent that registered without naming a user',
  service_auth: 'An agent that named your email address',
  identity_assertion: 'An agent of the provider',
} as const;

/** What the owner of an account should know before approving (AMD-06). */
export type Advisory = 'first_agent' | 'first_time_provider';

const ADVISORY_TEXT: Readonly<Record<Advisory, string>> = {
  first_agent: 'This is the first agent on this account.',
  first_time_provider: 'This provider has not identified the user of this account before.',
};

/** What a claim is about, for the owner of the account. */
export interface ClaimQuestion {
  readonly serviceName: string;
  readonly signedInAs: string;
  readonly type: keyof typeof TYPE_TEXT;
  /** The name from the trust list, never from a token (AMD-06). */
  readonly providerName: string | View | undefined;
  /** What the agent calls itself. */
  readonly agentName: string | undefined;
  readonly scopes: readonly string[];
  readonly advisories: readonly Advisory[];
  /** How long the claim stays open. */
  readonly open: Omit<CountdownView, 'over'>;
  readonly attemptToken: string;
  readonly csrfToken: string;
}

/** Who asks for what, above the form of every claim page. */
export function questionView(view: ClaimQuestion): View {
  const asker =
    view.providerName === undefined
      ? TYPE_TEXT[view.type]
      : html`${TYPE_TEXT[view.type]} <strong>${view.providerName}</strong>`;
  return html`
    <h1>Give an agent access?</h1>
    <p>${asker} is asking for access to your account at <strong>${view.serviceName}</strong>.
      Continue only if you started this yourself.</p>${ownWords(view.agentName)}
    <dl>
      <dt>Signed in as</dt><dd>${view.signedInAs}</dd>
      <dt>It will be able to use</dt>
      <dd>${scopesView(view.scopes)}</dd>
    </dl>
    ${view.advisories.map(
      (advisory) => html`<p class="notice"><strong>Note:</strong> ${ADVISORY_TEXT[advisory]}</p>`,
    )}${claimCountdownView(view)}`;
}

/** What an agent may use. */
export function scopesView(scopes: readonly string[]): View {
  return html`<ul class="scopes">${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`;
}

export function claimCountdownView({ open }: Pick<ClaimQuestion, 'open'>): View {
  return countdownView({ ...open, over: 'The time is up. Ask your agent for a new link.' });
}

/** How many characters are shown. */
const SHOWN = 60;

/** A sentence with what an agent calls itself; nothing for one that does not. */
export function ownWords(name: string | undefined): View | '' {
  return name === undefined
    ? ''
    : html`
    <p>It calls itself ${agentNameView(name)}. Nobody has checked that name.</p>`;
}

/** A stranger's words, set apart from ours: cut, and without what hides text or turns it around. */
export function agentNameView(name: string): View {
  return html`<bdi class="own-words">${displayText(name, SHOWN).trim()}</bdi>`;
}
