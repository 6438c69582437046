import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { problemOf } from './rows.js';
import { readReport, rowIdsIn } from './test-report.js';

/** @import { Removal, Row } from './rows.js' */
/** @import { TestReport } from './test-report.js' */

/**
 * What became of a row when its removal was applied.
 *
 * @typedef {object} Ablation
 * @property {Row} row
 * @property {string[]} red titles of the tests that failed
 * @property {string} [problem] why the row proves nothing
 */

const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

/**
 * For each row, two at a time: its tests against the sources without what `remove` names.
 *
 * @param {string} root of the project
 * @param {Row[]} rows
 * @param {TestReport} report of a whole run: it tells which tests carry a row's id
 * @param {(ablation: Ablation) => void} [onRow]
 * @returns {Promise<Ablation[]>} in the order of `rows`
 */
export async function ablate(root, rows, report, onRow = () => {}) {
  /** @type {Ablation[]} */
  const done = [];
  const queue = rows.entries();
  const worker = async () => {
    for (const [index, row] of queue) {
      const ablation = await ablateRow(root, row, report);
      done[index] = ablation;
      onRow(ablation);
    }
  };
  await Promise.all([worker(), worker()]);
  return done;
}

/**
 * @param {string} root
 * @param {Row} row
 * @param {TestReport} report
 * @returns {Promise<Ablation>}
 */
async function ablateRow(root, row, report) {
  /** @param {string} problem @param {string[]} [red] @returns {Ablation} */
  const proofless = (problem, red = []) => ({ row, red, problem });

  if (row.remove === undefined) return proofless('nothing to remove is named');
  const problem = problemOf(root, row.remove);
  if (problem !== undefined) return proofless(problem);
  const named = report.tests.filter(
    ({ title, status, file }) =>
      status === 'passed' && rowIdsIn(title).includes(row.id) && !file.startsWith('test/browser/'),
  );
  if (named.length === 0) return proofless('no passing test names the row');

  const after = await runWithout(root, row.id, [...new Set(named.map(({ file }) => file))]);
  const red = after.tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
  if (after.brokenFiles.length > 0) {
    return proofless(
      `${after.brokenFiles.map(({ file }) => file).join(', ')} did not even load`,
      red,
    );
  }
  return red.length > 0 ? { row, red } : proofless('every test stayed green');
}

/**
 * One vitest process over some test files, with the row's removal, and only the tests that name it.
 *
 * @param {string} root
 * @param {string} id
 * @param {string[]} files
 * @returns {Promise<TestReport>}
 */
async function runWithout(root, id, files) {
  const folder = join(root, '.cache/ablate');
  mkdirSync(folder, { recursive: true });
  const outputFile = join(folder, `${id}.json`);
  rmSync(outputFile, { force: true });
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      ...files,
      `--testNamePattern=${id}(?!\\d)`,
      '--reporter=json',
      `--outputFile=${outputFile}`,
      '--maxWorkers=1',
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, SPEC_ABLATION: id } },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  try {
    return readReport(outputFile, root);
  } catch {
    throw new Error(`${id}: vitest gave no report\n${stderr}`);
  }
}

/**
 * The Markdown table of an ablation.
 *
 * @param {Ablation[]} ablations
 */
export function ablationTable(ablations) {
  const lines = ['| row | removed | went red |', '|---|---|---|'];
  for (const { row, red, problem } of ablations) {
    const proof = problem === undefined ? red.join('<br>') : `**nothing proven: ${problem}**`;
    const cells = [row.id, removed(row.remove), proof];
    lines.push(
      `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** @param {Removal | undefined} removal */
function removed(removal) {
  if (removal === undefined) return '';
  const { file, find, replace } = removal;
  const becomes = replace === undefined || replace === '' ? '' : ` → \`${replace}\``;
  return `${file}: \`${find}\`${becomes}`;
}
