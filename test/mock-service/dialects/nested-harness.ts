import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import type { Page, TestUser } from '../../support/test-user.ts';
import { type Answer, Harness } from '../harness.ts';

export const ALICE = 'alice@example.com';

/** What the nested dialect answers, as far as a test looks into it. */
export interface Nested {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly error: string;
  readonly identity: {
    readonly assertion: string;
    readonly expires_at: string;
    readonly refresh_token: { readonly value: string; readonly expires_at: string };
  };
  readonly claim: {
    readonly token: string;
    readonly expires_at: string;
    readonly url: string;
    readonly attempt: Attempt;
  };
  readonly attempt: Attempt;
  readonly scopes: unknown;
}

interface Attempt {
  readonly verification_uri: string;
  readonly expires_at: string;
}

export async function startNested(options: Partial<MockServiceOptions> = {}): Promise<Harness> {
  return Harness.start({ dialect: 'nested', ...options });
}

export function bodyOf(answer: Answer): Nested {
  return answer.body as unknown as Nested;
}

/** A registration for Alice, who has not looked at its page yet. */
export async function byEmail(h: Harness): Promise<Nested['claim']> {
  const answer = await h.register({ type: 'service_auth', login_hint: ALICE });
  return bodyOf(answer).claim;
}

export function startClaim(h: Harness, token: string, email = ALICE): Promise<Answer> {
  return h.post('/agent/identity/claim', {
    type: 'service_auth',
    claim_token: token,
    login_hint: email,
  });
}

export function redeem(h: Harness, token: string, code: string): Promise<Answer> {
  return h.post('/agent/identity/claim/complete', { claim_token: token, user_code: code });
}

export function refresh(h: Harness, token: string): Promise<Answer> {
  return h.register({ type: 'refresh', refresh_token: token });
}

/** The user signs in on the page and confirms. */
export async function confirm(
  user: TestUser,
  { verification_uri: url }: Attempt,
  email = ALICE,
): Promise<Page> {
  const page = await user.openSignedIn(url, email);
  return user.submit(page, '/claim', { decision: 'approve' });
}

/** The code that a page shows, as an agent is told it. */
export function codeOn({ document, text }: Page): string {
  const shown = document.querySelector('.user-code')?.textContent;
  if (shown === undefined) throw new Error(`No code on the page: ${text}`);
  return shown;
}

/** A claim that Alice has confirmed and the agent redeemed. */
export async function claimed(h: Harness): Promise<Nested['identity']> {
  const { attempt, token } = await byEmail(h);
  const code = codeOn(await confirm(h.user(), attempt));
  return bodyOf(await redeem(h, token, code)).identity;
}

/** What the access token of an assertion can do. */
export async function scopeOf(h: Harness, assertion: string): Promise<unknown> {
  const { body } = await h.exchange(assertion);
  return body['scope'] ?? body['error'];
}
