import { parse as parseHtml } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { REPORTERS } from '../../../src/conformance/reporters/index.ts';
import { REPORT } from '../../../src/conformance/reporters/report-schema.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { GREEN_REPORT, SAMPLE_REPORT } from '../support/sample-report.ts';

const PLAIN = { color: false, width: 100 };
const names = Object.keys(REPORTERS) as (keyof typeof REPORTERS)[];
const render = (name: keyof typeof REPORTERS) => REPORTERS[name].render(SAMPLE_REPORT, PLAIN);

describe('each report', () => {
  it.each(names.filter((name) => name !== 'json'))('%s is as it was agreed', async (name) => {
    await expect(render(name)).toMatchFileSnapshot(`golden/${name}.${REPORTERS[name].extension}`);
  });

  it.each(names)('%s lets no control or bidi character of the judged peer through', (name) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(render(name)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('the terminal', () => {
  it('colours only when it is asked to', () => {
    expect(REPORTERS.terminal.render(SAMPLE_REPORT, { color: true, width: 80 })).toContain(
      '\u001b[31m',
    );
    expect(render('terminal')).not.toContain('\u001b');
  });

  it('keeps to the width, but for words that are longer', () => {
    const lines = REPORTERS.terminal.render(SAMPLE_REPORT, { color: false, width: 60 }).split('\n');
    const findings = lines.filter((line) => /^ {4}(expected|seen)/.test(line));
    expect(findings.length).toBeGreaterThan(2);
    expect(findings.filter((line) => line.length > 60 && !/\S{46}/.test(line))).toEqual([]);
  });

  it('says that nothing is wrong when nothing is', () => {
    expect(REPORTERS.terminal.render(GREEN_REPORT, PLAIN)).toContain('Conforms. 1 passed');
  });

  it('shows every check and every exchange of a finding when it is asked for', () => {
    const text = REPORTERS.terminal.render(SAMPLE_REPORT, { ...PLAIN, verbose: true });
    expect(text).toContain('What discovery.challenge asks for holds.');
    expect(text).toContain('{"type":"anonymous"}');
  });
});

describe('JSON', () => {
  it('fits its schema, for a real run too', async () => {
    expect(REPORT.parse(JSON.parse(render('json')))).toEqual(JSON.parse(render('json')));
    const scenarios = await judgeMock([], ['anonymous']);
    const report = { ...SAMPLE_REPORT, scenarios };
    expect(REPORT.parse(JSON.parse(JSON.stringify(report)))).toBeDefined();
  });
});

describe('JUnit', () => {
  it('is well-formed and counts as the summary does', () => {
    const suites = parseHtml(render('junit').replace(/^<\?xml.*\?>/, '')).querySelector(
      'testsuites',
    );
    expect(suites?.attributes).toMatchObject({
      tests: '6',
      failures: '1',
      errors: '1',
      skipped: '1',
    });
    expect(suites?.querySelectorAll('testcase')).toHaveLength(6);
    expect(suites?.querySelectorAll('testcase > failure')).toHaveLength(1);
  });
});

describe('TAP', () => {
  it('has a point for each check, and diagnostics that are YAML', () => {
    const text = render('tap');
    expect(text.match(/^(not )?ok \d+/gm)).toHaveLength(6);
    expect(text.match(/^not ok/gm)).toHaveLength(2);
    const block = /^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/m.exec(text)?.[1] ?? '';
    expect(parseYaml(block)).toMatchObject({ status: 'fail', level: 'must' });
  });
});

describe('HTML', () => {
  it('needs nothing else and runs nothing', () => {
    const root = parseHtml(render('html'));
    expect(root.querySelectorAll('script, link, img, iframe, [src]')).toEqual([]);
    expect(root.querySelectorAll('[onclick], [onload], [onerror]')).toEqual([]);
    const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href'));
    expect(targets.every((href) => href?.startsWith('#'))).toBe(true);
  });

  it('leads from each arrow and each finding to the exchange', () => {
    const root = parseHtml(render('html'));
    const ids = new Set(root.querySelectorAll('[id]').map(({ id }) => `#${id}`));
    const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '');
    expect(targets).toHaveLength(5);
    expect(targets.filter((href) => !ids.has(href))).toEqual([]);
  });
});
