import { textDecoder } from '../../protocol/text-decoder.ts';

/** How a body begins. */
interface Start {
  /** `undefined`: it is no text. */
  readonly text: string | undefined;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
  /** Why it is not: no more came. The service has answered all the same, and may have done what was asked. */
  readonly isBroken?: true;
}

/** Several times what is shown: a secret at the end of what is shown is whole in it. Bytes. */
const LIMIT = 512 * 1024;

/** Reads a body as far as it may be shown, by the charset of its media type; the rest is not waited for. */
export async function readStart(response: Response, signal: AbortSignal): Promise<Start> {
  const decoder = textDecoder(response.headers.get('content-type'));
  const reader = response.body?.getReader();
  if (reader === undefined) return { text: '', isWhole: true };
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  let text = '';
  let size = 0;
  const shown = () => (text.includes('\0') ? undefined : text);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (size > LIMIT) {
        reader.cancel().catch(() => {});
        return { text: shown(), isWhole: false };
      }
    }
    text += decoder.decode();
    return { text: shown(), isWhole: true };
  } catch (error) {
    signal.throwIfAborted();
    reader.cancel().catch(() => {});
    // Wrong in its charset, which is no failure of the network.
    const isEncoding = error instanceof TypeError && 'code' in error;
    return isEncoding && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? { text: undefined, isWhole: false }
      : { text: shown(), isWhole: false, isBroken: true };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
