import { type Answer, readAnswerBody } from '../../../src/agent/http/answer.ts';
import { SERVICE } from '../support/bench.ts';

/** The start of the bench's clock. */
export const NOW = Date.UTC(2026, 0, 1);

/** What a peer answered with, read. */
export function answerOf(body: object, status = 200, headers: Record<string, string> = {}): Answer {
  const text = JSON.stringify(body);
  return {
    where: SERVICE,
    status,
    headers: new Headers(headers),
    sentAt: NOW,
    body: readAnswerBody(text),
    text,
  };
}
