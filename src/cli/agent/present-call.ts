import type { CallAnswer } from '../../agent/outcomes.ts';
import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../shell/output.ts';

/**
 * @param body parsed where it is JSON, else its text; `null` when it is not text.
 * @param wait milliseconds that the server asks to wait.
 */
export function presentAnswer(
  answer: CallAnswer,
  body: unknown,
  wait: number | undefined,
): Rendering {
  return {
    schema: 'call',
    json: () => ({
      url: answer.url,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
      ...((answer.status === 429 || wait !== undefined) && {
        retry_after: wait === undefined ? null : Math.ceil(wait / 1000),
      }),
      warnings: answer.warnings,
    }),
    human: () => '',
  };
}

/** Status line and headers, as `curl -i` prints them. */
export function presentHead({ status, headers }: CallAnswer): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${displayText(value, 8192)}`);
  return `${[`HTTP ${status}`, ...lines].join('\n')}\n\n`;
}
