import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { palettePng } from '../../scripts/screenshots/palette-png.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function header(width: number, height: number, type: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, type, 0, 0, 0], 8);
  return data;
}

function png(width: number, type: number, lines: readonly (readonly number[])[]): Buffer {
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, lines.length, type)),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunks(file: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
    found.set(file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, end));
    at = end + 4;
  }
  return found;
}

/** RGBA of each pixel, as a reader of palettes sees it. */
function shown(file: Buffer, width: number): readonly (readonly number[])[] {
  const found = chunks(file);
  const of = (type: string) => found.get(type) ?? Buffer.alloc(0);
  const lines = inflateSync(of('IDAT'));
  return [...lines].flatMap((index, at) => {
    if (at % (width + 1) === 0) return [];
    return [[...of('PLTE').subarray(index * 3, index * 3 + 3), of('tRNS')[index] ?? 255]];
  });
}

it('keeps each colour of a picture that has few, by whatever filter a line was written', () => {
  const lines = [
    [0, 10, 20, 30, 200, 100, 50],
    [1, 10, 20, 30, 190, 80, 20],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 95, 40, 10],
    [4, 0, 0, 0, 0, 0, 0],
  ];
  const one = [10, 20, 30, 255];
  const two = [200, 100, 50, 255];
  expect(shown(palettePng(png(2, 2, lines)), 2)).toEqual(Array(5).fill([one, two]).flat());
});

it('keeps what is transparent', () => {
  const small = palettePng(png(2, 6, [[0, 1, 2, 3, 0, 1, 2, 3, 128]]));
  expect(shown(small, 2)).toEqual([
    [1, 2, 3, 0],
    [1, 2, 3, 128],
  ]);
});

it('changes the colours of a picture that has too many by little', () => {
  const greys = Array.from({ length: 600 }, (_, at) => [at % 256, (at * 7) % 64, 9]);
  const pixels = shown(palettePng(png(600, 2, [[0, ...greys.flat()]])), 600);
  for (const [at, [red = 0, green = 0, blue]] of pixels.entries()) {
    expect(Math.abs(red - (greys[at]?.[0] ?? 0))).toBeLessThan(40);
    expect(Math.abs(green - (greys[at]?.[1] ?? 0))).toBeLessThan(40);
    expect(blue).toBe(9);
  }
});

it('refuses what is no PNG', () => {
  expect(() => palettePng(Buffer.from('a text that is long enough'))).toThrow('no PNG');
});
