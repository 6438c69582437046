import { expect, it } from 'vitest';
import { gather } from '../../src/proxy/bodies/read-text.ts';

/** Nobody waits in vain: the end of patience comes when it is called for. */
function patience() {
  let end = () => {};
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      end = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  return { sleep, end: () => end() };
}

const LIMITS = { most: 4, patience: 1_000 };
const bytes = (text: string) => new TextEncoder().encode(text);

it('reads a body that ends within its limits', async () => {
  const body = new Response('abcd').body;
  const { sleep } = patience();
  expect(await gather(body, LIMITS, sleep)).toEqual({ isWhole: true, bytes: bytes('abcd') });
  expect(await gather(null, LIMITS, sleep)).toEqual({ isWhole: true, bytes: bytes('') });
});

it('hands on all of a body that is too long', async () => {
  const gathered = await gather(new Response('abcde').body, LIMITS, patience().sleep);
  if (gathered.isWhole) throw new Error('It is not.');
  expect(gathered.why).toBe('too_long');
  expect(await new Response(gathered.stream).text()).toBe('abcde');
});

it('hands on all of a body that takes too long, with what comes later', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { end, sleep } = patience();
  const gathering = gather(readable, LIMITS, sleep);
  await writer.write(bytes('a'));
  end();
  const gathered = await gathering;
  if (gathered.isWhole) throw new Error('It is not.');
  expect(gathered.why).toBe('too_slow');
  const text = new Response(gathered.stream).text();
  await writer.write(bytes('b'));
  await writer.close();
  expect(await text).toBe('ab');
});

it('breaks off where the body does', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error('broken')),
  });
  await expect(gather(body, LIMITS, patience().sleep)).rejects.toThrow('broken');
});
