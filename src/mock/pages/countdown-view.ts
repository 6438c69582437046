import { describeDuration, SECOND } from '../../protocol/durations.ts';
import { clockTimeView, html, icon, type View } from './html.ts';

export interface CountdownView {
  /** Milliseconds from now. */
  readonly timeLeft: number;
  /** The end by the clock of the mock. */
  readonly until: number;
  /** The time from beginning to end, in milliseconds: the bar is full for it. */
  readonly lifetime: number;
  /** What the page says once the time is up. */
  readonly over: string;
}

/** The most seconds that the style sheet counts down from. */
const MOST = 99_999;

/**
 * The time that is left: in words, and as digits and a bar that the style sheet alone moves. It reads the seconds
 * from one class for each digit, `e1-4` for 4 tens, since no page of ours may carry styles or scripts. Who hears the
 * page is told once, with the hour at which it ends.
 */
export function countdownView({ lifetime, over, timeLeft, until }: CountdownView): View {
  const left = Math.max(0, Math.ceil(timeLeft / SECOND));
  const whole = Math.max(left, Math.ceil(lifetime / SECOND), 1);
  const classes = ['countdown', ...(left > MOST ? ['still'] : digitClasses(left))];
  if (left >= 3600) classes.push('hours');
  return html`
    <div class="${classes.join(' ')}">
      <p class="running">${icon('expired')} <span class="digits" aria-hidden="true"></span><span class="words">${describeDuration(left * SECOND)}</span> left
        <span class="until">until ${clockTimeView(until, until - timeLeft)} by the server’s clock</span></p>
      <p class="over" data-over="${over}"></p>
      <svg class="bar" viewBox="0 0 ${whole} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="${left}" height="1"/></svg>
    </div>`;
}

function digitClasses(seconds: number): readonly string[] {
  return [...String(seconds)].reverse().map((digit, exponent) => `e${exponent}-${digit}`);
}

/** What the style sheet makes of the classes. */
export const DIGIT_RULES = Array.from({ length: 5 }, (_, exponent) =>
  Array.from({ length: 9 }, (_, at) => `.e${exponent}-${at + 1}{--e${exponent}:${at + 1}}`),
)
  .flat()
  .join('');
