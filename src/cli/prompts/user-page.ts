import { isSameService } from '../../agent/credentials/change-credentials.ts';
import type { Credentials, Registration } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { displayText } from '../../protocol/text.ts';
import { isLoopbackHost } from '../../protocol/urls.ts';
import type { Context } from '../shell/context.ts';
import type { HeadlessReason } from '../shell/environment.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { hyperlink } from '../terminal/escape-codes.ts';

/** Shown with a page that is not on the origin of its service or provider. */
export const FOREIGN_PAGE =
  'This page is not on the origin of the service. Open it only if you expected that.';

/** A URL as plain ASCII: a look-alike host shows as punycode, everything else percent-encoded. */
export function displayUrl(url: string): string {
  return URL.canParse(url) ? displayText(new URL(url).href, 2048) : displayText(url, 2048);
}

/** A page that the user has to open. */
export interface UserPage {
  readonly verificationUri: string;
  /** Whether the page is on the origin of its service or provider: only then it is opened or linked. */
  readonly trusted: boolean;
  /** Its answer comes back to this machine: no other will do. */
  readonly onlyHere?: true;
}

/** Whose page or code it is. */
export interface PageOwner {
  /** What it is for, with the name of the service or provider: untrusted text. */
  readonly heading: string;
  /** The URL of that service or provider. */
  readonly url: string;
  /** The account that has to sign in, where it is known. */
  readonly account: string | undefined;
}

const openIt = ({ onlyHere }: UserPage) =>
  onlyHere
    ? 'Open the URL yourself, in a browser on this machine.'
    : 'Open the URL yourself, on any device.';
/** What `q` says where a QR code would be of no use. */
export const NO_QR_CODE = 'No QR code: another device cannot reach a URL of this machine.';

/** Why the page is not opened from here, as the rest of a sentence; `undefined` where it is. */
export function whyNotOpened(
  context: Context,
  { trusted }: UserPage,
  mode: BrowserMode,
): string | undefined {
  if (!trusted) return 'the page is not on the origin of the service';
  const reason = whyNoBrowser(context, mode);
  return reason && NO_BROWSER_TEXT[reason];
}

/**
 * Opens the page each time that it is called. Why it does not is told once: no further key changes that.
 * @param tell takes a line about what came of it.
 */
export function pageOpener(
  context: Context,
  page: UserPage,
  mode: BrowserMode,
  tell: (line: string) => void,
): () => Promise<void> {
  let isTold = false;
  return async () => {
    const reason = whyNotOpened(context, page, mode);
    if (reason !== undefined) {
      if (!isTold) tell(`Not opened: ${reason}. ${openIt(page)}`);
      isTold = true;
      return;
    }
    let failed = false;
    await context.world.openBrowser(page.verificationUri, (failure) => {
      failed = true;
      tell(`No browser could be opened: ${failure}. ${openIt(page)}`);
    });
    if (!failed) tell(`Asked the browser to open the page. If nothing opens: ${openIt(page)}`);
  };
}

export function isOfThisMachine({
  onlyHere,
  verificationUri,
}: Pick<UserPage, 'onlyHere' | 'verificationUri'>): boolean {
  if (onlyHere) return true;
  return URL.canParse(verificationUri) && isLoopbackHost(new URL(verificationUri).hostname);
}

export function ownerLines(
  { output }: Context,
  { heading, url, account }: PageOwner,
): readonly string[] {
  const { bold, dim } = output.style;
  const who = account === undefined ? '' : ` · ${displayText(account, 254)}`;
  return ['', `${bold(displayText(heading, 100))}${who}`, dim(url), ''];
}

/** The URL of the page, a link where the terminal takes one. */
export function pageLine(
  { output, world }: Context,
  { verificationUri, trusted }: UserPage,
): string {
  const linkable = trusted && output.interactive && !world.environment.dumbTerminal;
  const uri = displayUrl(verificationUri);
  return linkable ? hyperlink(uri) : uri;
}

/** The names of keys, as many as fit on each line. */
export function keyLines({ output, world }: Context, names: readonly string[]): readonly string[] {
  const { columns } = world.streams.stderr;
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''} · ${name}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(name);
  }
  return lines.map(output.style.dim);
}

type NoBrowserReason = 'never' | 'no_terminal' | HeadlessReason;

/** Why a browser would not be opened here, as the rest of a sentence that begins with "because". */
export const NO_BROWSER_TEXT: Readonly<Record<NoBrowserReason, string>> = {
  never: '--browser never was given',
  no_terminal: 'stdin and stdout are not both a terminal',
  ci: 'CI is set',
  ssh: 'this is an SSH session',
  container: 'this is a container',
  no_display: 'neither DISPLAY nor WAYLAND_DISPLAY is set',
};

/**
 * Why the user's page would not be opened on this machine; `undefined` when it would. The claim screen
 * and `doctor` share this decision: a browser opened here is seen by the waiting user only where stdin
 * and stdout are a terminal and the environment has a display.
 */
export function whyNoBrowser({ world }: Context, mode: BrowserMode): NoBrowserReason | undefined {
  if (mode !== 'auto') return mode === 'never' ? 'never' : undefined;
  const { streams, environment } = world;
  if (!streams.stdin.isTTY || !streams.stdout.isTTY) return 'no_terminal';
  return environment.headless();
}

/** The service of a registration, and who is to claim it, as a claim screen shows them. */
export function claimOwner({ services }: Credentials, registration: Registration): PageOwner {
  const record = services.find((each) => isSameService(each, registration));
  return {
    heading: record?.name ?? new URL(registration.resource).host,
    url: registration.resource,
    account: userOf(registration) ?? undefined,
  };
}
