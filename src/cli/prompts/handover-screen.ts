import type { SignInCeremony } from '../../agent/model.ts';
import { describeLeft } from '../../protocol/durations.ts';
import { displayText } from '../../protocol/text.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { copyToClipboard } from '../terminal/escape-codes.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { listenForKeys, suspendJob } from '../terminal/keys.ts';
import { startSpinner } from '../terminal/spinner.ts';
import { QrPanel } from './qr-panel.ts';
import {
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

/** What the user needs to act in a browser while the program waits. */
export interface Handover extends PageOwner, UserPage {
  /** The code for the page; `undefined` where the page itself is all that is needed. */
  readonly userCode: string | undefined;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly expiresAt: number;
}

/** The handover of a ceremony whose page is run by `owner`. */
export function handoverOf(
  { world }: Context,
  ceremony: SignInCeremony,
  owner: PageOwner,
): Handover {
  return {
    ...owner,
    userCode: ceremony.kind === 'page' ? undefined : ceremony.userCode.reveal(),
    ...(ceremony.kind === 'page' && { onlyHere: true as const }),
    verificationUri: ceremony.verificationUri,
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
  const canOpen = whyNotOpened(context, handover, mode) === undefined;
  const keys = output.interactive && world.streams.stdin.isTTY;
  for (const line of describeHandover(context, handover, keys, canOpen)) output.say(line);

  let expiresAt = handover.expiresAt;
  const left = () => waitingLine(handover.account, expiresAt - world.clock.now());
  if (!output.interactive) output.say(left());
  const spinner = await startSpinner(world.streams.stderr, output.interactive, left());
  const timer = output.interactive ? setInterval(() => spinner.update(left()), REDRAW) : undefined;
  const panel = new QrPanel(context, spinner);
  const note = (text: string) => panel.note(text);
  const actions: KeyActions = {
    ...keyActions(context, handover, mode, panel),
    suspend: () => spinner.interrupt(() => suspendJob(world.streams)),
  };
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

type KeyActions = Readonly<Record<string, () => void | Promise<void>>>;

function keyActions(
  context: Context,
  handover: Handover,
  mode: BrowserMode,
  panel: QrPanel,
): KeyActions {
  const { output, world, interrupt } = context;
  const { userCode } = handover;
  let copied = false;
  return {
    interrupt: () => interrupt.abort(new Interrupted()),
    enter: pageOpener(context, handover, mode, (line) => panel.note(line)),
    ...(userCode !== undefined && {
      c: () => {
        world.streams.stderr.write(copyToClipboard(userCode));
        if (copied) return;
        copied = true;
        panel.note(output.style.dim('Asked the terminal to copy the code.'));
      },
    }),
    q: async () => {
      if (!isOfThisMachine(handover)) {
        await panel.toggle(handover.verificationUri);
        return;
      }
      panel.note(NO_QR_CODE);
    },
  };
}

function describeHandover(
  context: Context,
  handover: Handover,
  keys: boolean,
  canOpen: boolean,
): readonly string[] {
  const { bold, cyan, dim } = context.output.style;
  const lines = [...ownerLines(context, handover), pageLine(context, handover), ''];
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
    lines.push(...keyLines(context, names), '');
  }
  return lines;
}

function waitingLine(account: string | undefined, left: number): string {
  const who = account === undefined ? 'the user' : displayText(account, 254);
  return `Waiting for ${who}, ${left > 0 ? `${describeLeft(left)} left` : 'time is up'}`;
}
