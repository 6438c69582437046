import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../dist/live', name), 'utf8');

describe('the built page of the live view', () => {
  it('is under 60 kB compressed, script and style sheet together', () => {
    const bytes = ['app.js', 'app.css'].map((name) => gzipSync(read(name)).byteLength);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(60_000);
  });

  it('loads nothing from elsewhere, and makes no code of text', () => {
    expect(read('app.css')).not.toMatch(/@import|url\(/);
    // But for the names of SVG and MathML, which are no places.
    const urls = [...read('app.js').matchAll(/https?:\/\/[^"'`\s)]+/g)].map(([url]) => url);
    expect(urls.filter((url) => !url.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(read('app.js')).not.toMatch(/\beval\(|new Function|insertAdjacentHTML|document\.write/);
  });
});
