import { readCode } from '../../agent/claim/submit-code.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Ceremony, ReadBackCeremony } from '../../agent/model.ts';
import type { CodeRefused } from '../../agent/outcomes.ts';
import type { AskForCode } from '../../agent/requests.ts';
import { displayText } from '../../protocol/text.ts';
import { Secret } from '../../runtime/secret.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { endText } from '../terminal/time.ts';
import { drawQrCode } from './qr-panel.ts';
import {
  claimOwner,
  FOREIGN_PAGE,
  isOfThisMachine,
  keyLines,
  NO_QR_CODE,
  ownerLines,
  type PageOwner,
  pageLine,
  pageOpener,
  type UserPage,
  whyNotOpened,
} from './user-page.ts';

/** Whether the user at this terminal sees the page and can type its code here. */
export function canTypeCode({ canAsk, output }: Context): boolean {
  return canAsk && output.interactive;
}

interface CodeAsking {
  readonly store: CredentialStore;
  readonly browser: BrowserMode;
  /** Milliseconds for an answer. Default: as long as the code is good for. */
  readonly timeout?: number | undefined;
}

/** The clocks may differ by a little, and the service decides by its own. */
const GRACE = 1000;
/** The longest delay that a timer takes, in milliseconds. */
const LATEST = 2 ** 31 - 1;

/**
 * Shows where the user finds the code, and asks for it. A code that was not taken is asked for again, with what
 * was wrong. `undefined` once the time is over. Ctrl-C leaves as it does every question.
 */
export function codeAsker(context: Context, { store, browser, timeout }: CodeAsking): AskForCode {
  let last: Secret | undefined;
  let openPage: (() => Promise<void>) | undefined;
  return async (open, refused) => {
    const { ceremony } = open;
    if (ceremony.kind !== 'read_back') return undefined;
    const page = pageOf(ceremony);
    if (refused === undefined) {
      const owner = claimOwner(await store.read(), open.registration);
      for (const line of codeScreen(context, ceremony, owner, browser)) context.output.say(line);
      openPage = page && pageOpener(context, page, browser, say);
      if (browser === 'always') await openPage?.();
    } else {
      say(refusedText(refused));
    }
    openPage ??= page && pageOpener(context, page, browser, say);
    const again = refused?.status === 'not_confirmed' ? last : undefined;
    const time = Math.min(ceremony.remaining + GRACE, timeout ?? LATEST, LATEST);
    last = await askInTime(context, time, { page, openPage, again });
    return last;
  };

  function say(line: string): void {
    context.output.say(line);
  }
}

interface Question {
  readonly page: UserPage | undefined;
  /** Opens that page. */
  readonly openPage: (() => Promise<void>) | undefined;
  /** The code that is handed in once more by Enter alone. */
  readonly again: Secret | undefined;
}

async function askInTime(
  context: Context,
  time: number,
  question: Question,
): Promise<Secret | undefined> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), time);
  const signal = AbortSignal.any([context.interrupt.signal, over.signal]);
  try {
    return await ask(context, question, signal);
  } catch (error) {
    context.interrupt.signal.throwIfAborted();
    if (over.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  context: Context,
  { page, openPage, again }: Question,
  signal: AbortSignal,
): Promise<Secret> {
  const { output, world } = context;
  const say = (line: string) => output.say(line);
  const from = page === undefined ? 'mail' : 'page';
  for (;;) {
    const text = await world.ask.text(
      `Code from the ${from}:`,
      (typed) => problemOf(typed.trim(), page, again),
      signal,
    );
    const typed = text.trim();
    if (typed === '' && again !== undefined) return again;
    if (openPage !== undefined && typed === '') await openPage();
    else if (page !== undefined && isQ(typed)) say(await qrText(context, page));
    else return new Secret(typed);
  }
}

/** Before anything is sent. */
function problemOf(
  typed: string,
  page: UserPage | undefined,
  again: Secret | undefined,
): string | undefined {
  const isKey = typed === '' ? (again ?? page) !== undefined : page !== undefined && isQ(typed);
  if (isKey) return undefined;
  try {
    readCode(new Secret(typed));
    return undefined;
  } catch {
    return `Type the code as the ${page === undefined ? 'mail' : 'page'} shows it.`;
  }
}

/** No code is one letter long. */
function isQ(typed: string): boolean {
  return typed.toLowerCase() === 'q';
}

async function qrText(context: Context, page: UserPage): Promise<string> {
  if (isOfThisMachine(page)) return NO_QR_CODE;
  const drawn = await drawQrCode(context, page.verificationUri);
  return typeof drawn === 'string' ? drawn : drawn.join('\n');
}

function pageOf({ verificationUri, openable }: ReadBackCeremony): UserPage | undefined {
  return verificationUri === null ? undefined : { verificationUri, trusted: openable };
}

function codeScreen(
  context: Context,
  ceremony: ReadBackCeremony,
  owner: PageOwner,
  browser: BrowserMode,
): readonly string[] {
  const { dim } = context.output.style;
  const page = pageOf(ceremony);
  const end = dim(validText(ceremony));
  if (page === undefined) {
    return [
      ...ownerLines(context, owner),
      `A code was mailed to ${mailedTo(ceremony)}: type it here.`,
      end,
      '',
      ...keyLines(context, ['Ctrl-C quits']),
      '',
    ];
  }
  const canOpen = whyNotOpened(context, page, browser) === undefined;
  const keys = [
    ...(canOpen ? ['Enter opens the browser'] : []),
    ...(isOfThisMachine(page) ? [] : ['q and Enter draw a QR code']),
    'Ctrl-C quits',
  ];
  return [
    ...ownerLines(context, owner),
    pageLine(context, page),
    '',
    'After signing in and confirming, that page shows a code: type it here.',
    end,
    '',
    ...(page.trusted ? [] : [FOREIGN_PAGE, '']),
    ...keyLines(context, keys),
    '',
  ];
}

/**
 * Says until when a code is good, by the clock of its server. A service may not say it of a mailed one: then the mail
 * does.
 */
export function validText(ceremony: Ceremony): string {
  const isMailed = ceremony.kind === 'read_back' && ceremony.verificationUri === null;
  const end = endText(ceremony.expiresAt - ceremony.remaining, ceremony.remaining);
  return isMailed ? `Valid until ${end} at most; the mail may say less.` : `Valid until ${end}.`;
}

/** Whom the mail went to, as the service or the agent has it: untrusted text. */
export function mailedTo({ mailedTo: to }: Pick<ReadBackCeremony, 'mailedTo'>): string {
  return displayText(to ?? 'the user', 254);
}

/** What became of a code, for its user. */
export function refusedText(refused: CodeRefused): string {
  if (refused.status === 'not_confirmed') {
    return 'Not confirmed yet. Sign in on the page and confirm there; then press Enter to hand the same code in again.';
  }
  return `That is not the code.${triesText(refused.attemptsRemaining)}`;
}

/** ` Two tries are left.`; nothing where the service does not say. */
export function triesText(left: number | undefined): string {
  if (left === undefined) return '';
  return left === 1 ? ' One try is left.' : ` ${left} tries are left.`;
}
