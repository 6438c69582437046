import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registered, SERVICE } from '../support/mocks.ts';
import type { Handler } from '../support/run-cli.ts';

const OSC_52 = '\u001b]52;c;cm0gLXJmIC8=\u0007';
const CLEAR = '\u001b[2J\u001b[H\u009b2J';
const BIDI = '\u202e';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

/** A registered agent whose service answers this at `/api/resource`. */
async function withAnswer(body: string | Uint8Array, type: string, status = 200) {
  const { machine, run } = await registered();
  const real = machine.servers.get(SERVICE) as Handler;
  machine.servers.set(SERVICE, (request) =>
    new URL(request.url).pathname === '/api/resource'
      ? new Response(body, { status, headers: { 'content-type': type } })
      : real(request),
  );
  return run;
}

describe('a body on a terminal', () => {
  const hostile = `one${OSC_52}\n${CLEAR}two\n${BIDI}three`;

  it('wrote to the clipboard and cleared the screen: it is shown without that', async () => {
    const run = await withAnswer(hostile, 'text/plain');
    const { code, streams, stderr } = await run('call /api/resource', { tty: true });
    expect([code, streams.stdout.raw]).toEqual([0, 'one\ntwo\nthree\n']);
    expect(stderr).toContain('> FILE');
  });

  it('was JSON in one line: it is indented, and its numbers are not rounded', async () => {
    const json = '{"id":12345678901234567890,"a":["x, \\u00e9:{",{}],"none":[ ]}';
    const run = await withAnswer(json, 'application/json');
    const { streams } = await run('call /api/resource', { tty: true });
    expect(streams.stdout.raw).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": [\n    "x, \\u00e9:{",\n    {}\n  ],\n  "none": []\n}\n',
    );
    expect((await run('call /api/resource')).stdout).toBe(json);
  });

  it('could not be kept from a terminal: -o writes it byte for byte', async () => {
    const run = await withAnswer(PNG, 'image/png');
    const file = join(mkdtempSync(join(tmpdir(), 'call-')), 'body');
    const { code, streams } = await run(`call /api/resource -o ${file}`, { tty: true });
    expect([code, streams.stdout.raw]).toEqual([0, '']);
    expect([...readFileSync(file)]).toEqual([...PNG]);
    expect((await run(`call /api/resource -o ${file} --json`)).json()).toMatchObject([
      { body: null, file },
    ]);
    const refused = await run(`call /api/resource -o ${file}/none`, { tty: true });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('be written')]);
  });

  it('stays what it is in a pipe', async () => {
    const run = await withAnswer(hostile, 'text/plain');
    const { streams, stderr } = await run('call /api/resource');
    expect([streams.stdout.raw, stderr]).toEqual([hostile, '']);
  });

  it('is harmless under --json too, and means the same', async () => {
    const run = await withAnswer(hostile, 'text/plain');
    const result = await run('call /api/resource --json', { tty: true });
    for (const character of ['\u001b', '\u009b', BIDI]) {
      expect(result.streams.stdout.raw).not.toContain(character);
    }
    expect(result.json()).toMatchObject([{ body: hostile }]);
  });

  it('is read in the charset that it names', async () => {
    const run = await withAnswer(
      new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      'text/plain; charset="ISO-8859-1"',
    );
    expect((await run('call /api/resource', { tty: true })).stdout).toBe('café\n');
  });

  it.each<[string, string | Uint8Array, string]>([
    ['an image', PNG, 'image/png'],
    ['what has U+0000 in it', 'a\0b', 'text/plain'],
    ['text that breaks off', new Uint8Array([0x61, 0xc3]), 'text/plain; charset=utf-8'],
    [
      'text of an unknown charset that is no UTF-8',
      new Uint8Array([0xff]),
      'text/plain; charset=x',
    ],
  ])('is not shown when it is binary: %s', async (_what, body, type) => {
    const run = await withAnswer(body, type);
    const { code, streams, stderr } = await run('call /api/resource', { tty: true });
    expect([code, streams.stdout.raw]).toEqual([1, '']);
    expect(stderr).toContain('is binary (');
    expect(stderr).toContain('> FILE');
  });

  it('does not hide a refusal by being binary', async () => {
    const run = await withAnswer(PNG, 'image/png', 404);
    const { code, streams, stderr } = await run('call /api/resource', { tty: true });
    expect([code, streams.stdout.raw]).toEqual([1, '']);
    expect(stderr).toMatch(/is binary \(image\/png\)[\s\S]*answered 404/);
  });
});
