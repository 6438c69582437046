import type { Ceremony } from '../../agent/model.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { displayText } from '../../protocol/text.ts';
import { isLoopbackHost } from '../../protocol/urls.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { copyToClipboard, hyperlink } from '../terminal/escape-codes.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { listenForKeys } from '../terminal/keys.ts';
import { startSpinner } from '../terminal/spinner.ts';
import { displayUrl, FOREIGN_PAGE } from './page-url.ts';
import { QrPanel } from './qr-panel.ts';
import { NO_BROWSER_TEXT, whyNoBrowser } from './why-no-browser.ts';

/** What the user needs to act in a browser while the program waits. */
export interface Handover {
  /** What it is for, with the name of the service or provider: untrusted text. */
  readonly heading: string;
  /** The URL of that service or provider. */
  readonly url: string;
  /** The account that has to sign in, where it is known. */
  readonly account: string | undefined;
  /** None where the page itself is all that is needed. */
  readonly userCode: string | undefined;
  readonly verificationUri: string;
  /** Whether the page is on the origin of its service or provider (A-48): only then it is opened or linked. */
  readonly trusted: boolean;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly expiresAt: number;
}

/** The handover of a ceremony whose page is run by `owner`. */
export function handoverOf(
  { world }: Context,
  ceremony: Ceremony,
  owner: Pick<Handover, 'heading' | 'url' | 'account'>,
): Handover {
  return {
    ...owner,
    userCode: ceremony.kind === 'type_there' ? ceremony.userCode.reveal() : undefined,
    verificationUri: ceremony.verificationUri ?? owner.url,
    trusted: ceremony.openable,
    expiresAt: world.clock.now() + ceremony.remaining,
  };
}

export interface HandoverProgress {
  /** A line above the spinner, for example that the connection is gone. */
  readonly note: (text: string) => void;
  /** Milliseconds, by the clock that decides: the server's. */
  readonly timeLeft: (remaining: number) => void;
}

const REDRAW = 1000;
const OPEN_IT = 'Open the URL yourself, on any device.';

/**
 * Shows the page and the code on stderr and keeps a line with the time left while `wait` runs. The
 * wait starts at once, not with a key: the code may be typed on a phone (RFC 8628 §3.3).
 */
export async function showHandover<T>(
  context: Context,
  handover: Handover,
  mode: BrowserMode,
  wait: (progress: HandoverProgress) => Promise<T>,
): Promise<T> {
  const { output, world } = context;
  const notOpened = whyNotOpened(context, handover, mode);
  const canOpen = notOpened === undefined;
  const keys = output.interactive && world.streams.stdin.isTTY;
  for (const line of describeHandover(context, handover, keys, canOpen)) output.say(line);

  let expiresAt = handover.expiresAt;
  const left = () => waitingLine(handover.account, expiresAt - world.clock.now());
  if (!output.interactive) output.say(left());
  const spinner = await startSpinner(world.streams.stderr, output.interactive, left());
  const timer = output.interactive ? setInterval(() => spinner.update(left()), REDRAW) : undefined;
  const panel = new QrPanel(context, spinner);
  const note = (text: string) => panel.note(text);
  const actions = keyActions(context, handover, notOpened, panel);
  const stopKeys = keys
    ? listenForKeys(world.streams.stdin, (key) => {
        if (Object.hasOwn(actions, key)) void actions[key]?.();
      })
    : () => {};
  try {
    if (canOpen && mode === 'always') await actions['enter']?.();
    return await wait({
      note,
      timeLeft: (remaining) => {
        expiresAt = world.clock.now() + remaining;
      },
    });
  } finally {
    stopKeys();
    clearInterval(timer);
    spinner.stop();
  }
}

function keyActions(
  { output, world, interrupt }: Context,
  handover: Handover,
  notOpened: string | undefined,
  panel: QrPanel,
): Readonly<Record<string, () => void | Promise<void>>> {
  const { userCode } = handover;
  return {
    interrupt: () => interrupt.abort(new Interrupted()),
    enter: async () => {
      if (notOpened !== undefined) {
        panel.note(`Not opened: ${notOpened}. ${OPEN_IT}`);
        return;
      }
      let failed = false;
      await world.openBrowser(handover.verificationUri, (reason) => {
        failed = true;
        panel.note(`No browser could be opened: ${reason}. ${OPEN_IT}`);
      });
      if (!failed) panel.note(`Asked the browser to open the page. If nothing opens: ${OPEN_IT}`);
    },
    ...(userCode !== undefined && {
      c: () => {
        world.streams.stderr.write(copyToClipboard(userCode));
        panel.note(output.style.dim('Asked the terminal to copy the code.'));
      },
    }),
    q: async () => {
      if (!isOfThisMachine(handover)) {
        await panel.toggle(handover.verificationUri);
        return;
      }
      panel.note('No QR code: another device cannot reach a URL of this machine.');
    },
  };
}

function describeHandover(
  { output, world }: Context,
  handover: Handover,
  keys: boolean,
  canOpen: boolean,
): readonly string[] {
  const { bold, cyan, dim } = output.style;
  const account = handover.account === undefined ? '' : ` · ${displayText(handover.account, 254)}`;
  const linkable = handover.trusted && output.interactive && !world.environment.dumbTerminal;
  const uri = displayUrl(handover.verificationUri);
  const lines = [
    '',
    `${bold(displayText(handover.heading, 100))}${account}`,
    dim(handover.url),
    '',
    linkable ? hyperlink(uri) : uri,
    '',
  ];
  if (handover.userCode !== undefined) {
    lines.push(
      `Code  ${bold(cyan(displayUserCode(displayText(handover.userCode, 64))))}`,
      dim('Type it on that page after signing in; do not paste it back here.'),
      '',
    );
  }
  if (!handover.trusted) {
    lines.push(FOREIGN_PAGE, '');
  }
  if (keys) {
    const names = [
      ...(canOpen ? ['Enter opens the browser'] : []),
      ...(handover.userCode === undefined ? [] : ['c copies the code']),
      ...(isOfThisMachine(handover) ? [] : ['q shows and hides a QR code']),
      'Ctrl-C quits',
    ];
    lines.push(...fill(names, world.streams.stderr.columns).map(dim), '');
  }
  return lines;
}

function waitingLine(account: string | undefined, left: number): string {
  const who = account === undefined ? 'the user' : displayText(account, 254);
  return `Waiting for ${who}, ${left > 0 ? `${describeDuration(left)} left` : 'time is up'}`;
}

/** As the rest of a sentence; `undefined` where the page is opened. */
function whyNotOpened(
  context: Context,
  { trusted }: Handover,
  mode: BrowserMode,
): string | undefined {
  if (!trusted) return 'the page is not on the origin of the service';
  const reason = whyNoBrowser(context, mode);
  return reason && NO_BROWSER_TEXT[reason];
}

function isOfThisMachine({ verificationUri }: Handover): boolean {
  return URL.canParse(verificationUri) && isLoopbackHost(new URL(verificationUri).hostname);
}

/** As many names as fit on each line. */
function fill(names: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''} · ${name}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(name);
  }
  return lines;
}
