import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/options.js';
import { renderPage } from '../../bench/page/render-page.js';

const machine = {
  processor: 'Example CPU',
  cores: 2,
  memory: 8,
  system: 'linux 6.1',
  node: 'v20.19.0',
  cpus: 'server on core 0, client on core 1',
};
const measured = { date: '2026-01-02T03:04:05.000Z', machine };
const pace = { runs: 2, seconds: 5, warmUp: 2, connections: 32, client: 1 };
const side = (rates: number[], errors = 0) => ({ rates, cpu: [40, 50], p99: [], size: 9, errors });

describe('the page of figures', () => {
  const mocks = (errors: number) => ({
    ...measured,
    pace,
    results: [
      { id: 'metadata', sides: { mock: side([80, 80]), limit: side([100, 100]) } },
      { id: 'poll', sides: { mock: side([40, 30], errors), limit: side([100, 100]) } },
    ],
  });

  it('says where and when, and of each row what it reached', () => {
    const page = renderPage({ mocks: mocks(0) });
    expect(page).toContain('Measured on 2026-01-02: 2 cores of Example CPU');
    expect(page).toContain('server on core 0, client on core 1');
    expect(page).toContain('| 80 (80 – 80) | 0.80 (0.80 – 0.80) | ≥ 0.7, reached |');
    expect(page).toContain('| 0.35 (0.30 – 0.40) | ≥ 0.5, **missed** |');
  });

  it('gives no figure of a row with errors', () => {
    const page = renderPage({ mocks: mocks(3) });
    expect(page).toContain('no result: 3 wrong answers of mock');
    expect(page).not.toContain('0.35');
  });

  it('names the parts that were not measured', () => {
    expect(renderPage({})).toContain('Not measured for this page: mocks, against, file, postgres');
  });
});

describe('the options of the bench', () => {
  it('choose all rows of the mocks, or another service where one is named', () => {
    expect(readOptions([])).toMatchObject({ parts: ['mocks'], runs: 5, warmUp: 2 });
    expect(readOptions(['--against', 'http://127.0.0.1:1']).parts).toEqual(['against']);
    expect(readOptions(['--rows', 'poll,mint']).rows.map(({ id }) => id)).toEqual(['poll', 'mint']);
  });

  it('refuse a row that there is none of', () => {
    expect(() => readOptions(['--rows', 'pol'])).toThrow('--rows pol: use metadata, call, poll');
    expect(() => readOptions(['--runs', '0'])).toThrow('--runs 0: use a whole number above 0.');
  });
});
