import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Report, Verdict } from '../../../src/conformance/index.ts';
import { REPORTERS } from '../../../src/conformance/reporters/index.ts';
import { SAMPLE_REPORT } from '../support/sample-report.ts';

const sections = {
  protocol: { passed: 96, judged: 96, untestable: 0 },
  standards: { passed: 210, judged: 214, untestable: 0 },
  attacks: { passed: 88, judged: 88, untestable: 0 },
};

function reportOf(verdict: Partial<Verdict>): Report {
  return {
    ...SAMPLE_REPORT,
    summary: { ...SAMPLE_REPORT.summary, sections },
    verdict: { ...SAMPLE_REPORT.verdict, known: 0, ...verdict },
  };
}

const WORDS: readonly [verdict: Partial<Verdict>, message: string, color: string][] = [
  [{ outcome: 'conforms' }, 'conforms 96/96 · 210/214 · 88/88', 'brightgreen'],
  [
    { outcome: 'conforms_but', known: 2 },
    'conforms but for known 2 96/96 · 210/214 · 88/88',
    'yellowgreen',
  ],
  [{ outcome: 'inconclusive' }, 'inconclusive 96/96 · 210/214 · 88/88', 'lightgrey'],
  [{ outcome: 'does_not_conform' }, 'does not conform 96/96 · 210/214 · 88/88', 'red'],
  [
    { outcome: 'conforms', selectedOnly: true },
    'conforms (in part) 96/96 · 210/214 · 88/88',
    'brightgreen',
  ],
  [
    { outcome: 'inconclusive', interrupted: true },
    'inconclusive (in part) 96/96 · 210/214 · 88/88',
    'lightgrey',
  ],
];

describe('the badge', () => {
  it('was as good where nothing could be judged as where all was', () => {
    const report = reportOf({ outcome: 'conforms' });
    const attacks = { passed: 1, judged: 1, untestable: 32 };
    const summary = { ...report.summary, sections: { ...sections, attacks } };
    const text = REPORTERS['badge-json'].render({ ...report, summary });
    expect(text).toContain('conforms 96/96 · 210/214 · 1/1 (32 not judged)');
  });

  it.each(WORDS)('of %j says %j', (verdict, message, color) => {
    const report = reportOf(verdict);
    expect(JSON.parse(REPORTERS['badge-json'].render(report))).toEqual({
      schemaVersion: 1,
      label: 'agentic registration',
      message,
      color,
    });
    const svg = REPORTERS.badge.render(report);
    const texts: string[] = [];
    const names: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => names.push(name));
    parser.on('text', (text) => texts.push(text.trim()));
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(svg).close();
    const spoken = `agentic registration: ${message} (protocol, standards, attacks)`;
    expect(texts.filter((text) => text !== '')).toEqual([spoken, 'agentic registration', message]);
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
    expect(svg).toContain(`aria-label="${spoken}"`);
    expect(names.filter((name) => /image|script|style|font|use/.test(name))).toEqual([]);
    expect(svg).not.toMatch(/(?:href|url)(?!\(#round\))[=(]/);
  });
});
