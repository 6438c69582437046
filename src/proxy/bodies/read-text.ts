import type { Sleep } from '../../runtime/index.ts';
import { type GatherLimits, gather } from './gather.ts';

/** A body that is rewritten as a whole, or one that flows by. */
export type ReadText =
  | { readonly text: string }
  | { readonly stream: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>; readonly why: string };

/** A JSON document, a form or a page of this protocol is far shorter, and comes at once. */
export const LIMITS: GatherLimits = { most: 1024 * 1024, patience: 10_000 };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const WHY = {
  too_long: 'it is longer than 1 MiB',
  too_slow: 'it had not ended after 10 seconds',
} as const;

/** Rejects when it breaks off. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  sleep: Sleep,
): Promise<ReadText> {
  const gathered = await gather(body, LIMITS, sleep);
  if (!gathered.isWhole) return { stream: gathered.stream, why: WHY[gathered.why] };
  try {
    return { text: UTF8.decode(gathered.bytes) };
  } catch {
    return { stream: gathered.bytes, why: 'it is not UTF-8' };
  }
}
