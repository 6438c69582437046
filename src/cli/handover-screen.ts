import type { Ceremony } from '../agent/model.ts';
import { describeDuration } from '../protocol/durations.ts';
import { displayText } from '../protocol/text.ts';
import { displayUserCode } from '../protocol/user-code.ts';
import type { Context } from './context.ts';
import { Interrupted } from './interrupted.ts';
import type { BrowserMode } from './terminal/browser.ts';
import { copyToClipboard, hyperlink } from './terminal/escape-codes.ts';
import { listenForKeys } from './terminal/keys.ts';
import { qrCode } from './terminal/qr-code.ts';
import { type Spinner, startSpinner } from './terminal/spinner.ts';

/** For a page that was not proven to belong to the party whose ceremony it is (A-48). */
export const FOREIGN_PAGE =
  'This page is not on the address of the service. Open it only if you expected that.';

/** What a person needs to act in a browser while the program waits. */
export interface Handover {
  /** What it is about, with the name of the party whose page it is; holds text of a peer. */
  readonly heading: string;
  /** Its address. */
  readonly address: string;
  /** The account that has to sign in, where it is known. */
  readonly account: string | undefined;
  /** None where the page itself is all that is needed. */
  readonly userCode: string | undefined;
  readonly verificationUri: string;
  /** Whether the address was proven to belong to the party (A-48): only then it is opened or linked. */
  readonly trusted: boolean;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly expiresAt: number;
}

/** The hand-over of a ceremony to the page that `party` runs. */
export function handoverOf(
  { world }: Context,
  ceremony: Ceremony,
  party: Pick<Handover, 'heading' | 'address' | 'account'>,
): Handover {
  return {
    ...party,
    userCode: ceremony.userCode.reveal(),
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
 * waiting starts at once, never with a key: the code may be typed on a phone (RFC 8628 §3.3).
 */
export async function showHandover<T>(
  context: Context,
  handover: Handover,
  mode: BrowserMode,
  wait: (progress: HandoverProgress) => Promise<T>,
): Promise<T> {
  const { output, world } = context;
  const canOpen =
    handover.trusted && mode !== 'never' && (mode === 'always' || canSeeBrowser(context));
  const keys = output.interactive && world.streams.stdin.isTTY;
  for (const line of describeHandover(context, handover, keys, canOpen)) output.say(line);

  let expiresAt = handover.expiresAt;
  const left = () => waitingLine(handover.account, expiresAt - world.clock.now());
  if (!output.interactive) output.say(left());
  const spinner = await startSpinner(world.streams.stderr, output.interactive, left());
  const timer = output.interactive ? setInterval(() => spinner.update(left()), REDRAW) : undefined;
  const note = (text: string) => spinner.interrupt(() => output.say(text));
  const actions = keyActions(context, handover, canOpen, spinner, note);
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
  canOpen: boolean,
  spinner: Spinner,
  note: (text: string) => void,
): Readonly<Record<string, () => void | Promise<void>>> {
  const { userCode } = handover;
  return {
    interrupt: () => interrupt.abort(new Interrupted()),
    ...(canOpen && {
      enter: () =>
        world.openBrowser(handover.verificationUri, () =>
          note('No browser could be opened. Open the address yourself, on any device.'),
        ),
    }),
    ...(userCode !== undefined && {
      c: () => {
        world.streams.stderr.write(copyToClipboard(userCode));
        note(output.style.dim('Asked the terminal to copy the code.'));
      },
    }),
    q: async () => {
      const code = await qrCode(handover.verificationUri);
      spinner.interrupt(() => output.say(code));
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
  const uri = displayAddress(handover.verificationUri);
  const lines = [
    '',
    `${bold(displayText(handover.heading, 100))}${account}`,
    dim(handover.address),
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
      'q draws a QR code',
      'Ctrl-C leaves',
    ];
    lines.push(dim(names.join(' · ')), '');
  }
  return lines;
}

function waitingLine(account: string | undefined, left: number): string {
  const who = account === undefined ? 'the user' : displayText(account, 254);
  return `Waiting for ${who}, ${left > 0 ? `${describeDuration(left)} left` : 'the time is over'}`;
}

/** As plain ASCII: a look-alike host shows as punycode, everything else percent-encoded (A-31). */
export function displayAddress(address: string): string {
  return URL.canParse(address)
    ? displayText(new URL(address).href, 2048)
    : displayText(address, 2048);
}

/** A browser that opens here is seen by the person who waits: two terminals, and none of the signs against it. */
function canSeeBrowser({ world }: Context): boolean {
  const { streams, environment } = world;
  return streams.stdin.isTTY && streams.stdout.isTTY && environment.headless() === undefined;
}
