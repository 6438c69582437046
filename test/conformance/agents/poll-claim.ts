import { type Json, type Kit, type Reply, Stop } from './agent-kit.ts';
import type { FoundService } from './find-service.ts';
import type { Kept } from './good-agent.ts';

/** A code, its page and its times. */
export interface Attempt {
  readonly code: string;
  readonly page: string;
  readonly complete: string | undefined;
  /** Milliseconds. */
  readonly interval: number;
  /** By the clock of this machine. */
  readonly until: number;
}

export type End = 'claimed' | 'expired' | 'denied';

export function readAttempt(kit: Kit, block: Json): Attempt {
  const code = String(block['user_code']);
  const usual = kit.is('oneSecondDefault') ? 1 : 5;
  const given = Number(block['interval'] ?? usual);
  const bounded = Math.min(Math.max(Number.isFinite(given) ? given : 5, 1), 60);
  const remaining = Number(block['expires_in'] ?? 600);
  const complete = block['verification_uri_complete'];
  return {
    code: kit.is('numericCode') ? String(Number.parseInt(code, 10)) : code,
    page: String(block['verification_uri']),
    complete: typeof complete === 'string' ? complete : undefined,
    interval: (kit.is('obeysAnyInterval') ? given || 0 : bounded) * 1000,
    until: kit.tools.clock.now() + Math.min(Math.max(remaining, 0), 3600) * 1000,
  };
}

/** Shows the code and its page, and opens the page where that is wanted and safe. */
export async function showAttempt(
  kit: Kit,
  service: FoundService,
  attempt: Attempt,
): Promise<void> {
  const { page, complete } = attempt;
  const linked = asAscii(kit, kit.is('printsCompleteLink') ? (complete ?? page) : page);
  kit.say(`Go to ${kit.is('hidesAddress') ? URL.parse(page)?.host : linked}`);
  if (!kit.is('hidesCode')) kit.say(`Code: ${attempt.code}`);
  if (kit.is('opensPageItself')) await kit.send(page);
  const isOwn = isPageOf(kit, service, page);
  if (!isOwn && !kit.is('showsPagesQuietly')) kit.warn('This page is not one of the service.');
  if (!kit.context.open_browser) return;
  if (kit.is('opensByShell')) kit.tools.shell(`xdg-open ${page}`);
  if (isOwn || kit.is('opensAnything')) kit.tools.open(page);
}

function isPageOf(kit: Kit, { issuer }: FoundService, page: string): boolean {
  if (!URL.canParse(page)) return false;
  if (kit.is('opensByPrefix') && page.startsWith(issuer)) return true;
  const { origin, username } = new URL(page);
  return origin === new URL(issuer).origin && username === '';
}

function asAscii(kit: Kit, page: string): string {
  const isShownAsIs = kit.is('showsForeignLetters') || !URL.canParse(page);
  return isShownAsIs ? page : new URL(page).href;
}

/** Polls to the end of an attempt. */
export async function pollClaim(
  kit: Kit,
  service: FoundService,
  kept: Kept,
  attempt: Attempt,
): Promise<End> {
  const { tools } = kit;
  let { interval } = attempt;
  let wait = kit.is('hurries') ? interval / 2 : interval;
  let slowed = false;
  for (let polls = 1; ; polls += 1) {
    if (tools.clock.now() + wait >= attempt.until && !kit.is('pollsForEver')) return 'expired';
    await tools.sleep(wait);
    wait = kit.is('hurries') ? interval / 2 : interval;
    const reply = await poll(kit, service, kept).catch((error: unknown) => {
      if (!kit.isLoss(error) || kit.is('givesUpOnLoss')) throw error;
      return undefined;
    });
    if (reply === undefined) {
      wait = kit.is('noBackOff') ? interval : Math.min(interval * 4, 60_000);
      continue;
    }
    if (takeClaim(kept, reply)) return 'claimed';
    if (kit.is('pacesByServer') && polls > 1) wait = 0;
    const error = kit.errorOf(reply) ?? '';
    if (error === 'slow_down') {
      if (!kit.is('ignoresSlowDown') && !(kit.is('slowsOnce') && slowed)) interval += 5000;
      slowed = true;
      wait = interval;
    } else if (reply.status === 503 || reply.status === 429) {
      wait = kit.pauseAfter(reply, interval);
    } else if (error === 'authorization_pending') {
      if (kit.is('stopsAtPending') && polls >= 3) throw new Stop('It takes too long.');
    } else if (error === 'expired_token') {
      if (!kit.is('pollsAfterExpired')) return 'expired';
    } else if (error === 'access_denied') {
      if (!kit.is('pollsAfterDenial')) return 'denied';
    } else if (!kit.is('pollsOnErrors')) {
      throw await kit.refused(reply);
    }
  }
}

export function poll(kit: Kit, service: FoundService, kept: Kept): Promise<Reply> {
  const token = kit.is('pollsAttempt') ? (kept.attemptId ?? 'attempt') : (kept.claimToken ?? '');
  return kit.postForm(service.token, { grant_type: service.claimGrant, claim_token: token });
}

/** Takes over what a completed claim brings. */
export function takeClaim(kept: Kept, { status, json }: Reply): boolean {
  if (status !== 200 || json === undefined) return false;
  kept.token = String(json['access_token']);
  kept.firstAssertion = kept.assertion;
  kept.assertion = String(json['identity_assertion']);
  kept.claimToken = undefined;
  return true;
}
