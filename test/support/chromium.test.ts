import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './chromium.ts';

describe('the search for a Chromium', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-auth-chromium-'));
    writeFileSync(join(folder, 'chromium'), '', { mode: 0o644 });
    writeFileSync(join(folder, 'chromium-browser'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the first executable of a known name', () => {
    const path = ['/nowhere', folder].join(delimiter);
    expect(findChromium(path)).toBe(join(folder, 'chromium-browser'));
  });

  it('finds none where none is', () => {
    expect(findChromium('/nowhere')).toBeUndefined();
  });
});
