import type { CallAnswer } from '../../agent/outcomes.ts';
import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../output.ts';

/** @param body parsed where it is JSON, else its text; `null` when it is not text. */
export function presentAnswer(answer: CallAnswer, body: unknown): Rendering {
  return {
    schema: 'call',
    json: () => ({
      url: answer.url,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
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
