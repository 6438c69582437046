import { claims } from './rows.js';

/** @import { Row } from './rows.js' */
/** @import { TestSource } from './test-source.js' */

/**
 * Where a row and the tests that name it say different things. Each word that the row puts in backticks
 * stands in the source of one of them, a status or an error code in what it asserts, but for the word that
 * the row declares to deviate from.
 *
 * @param {Row} row
 * @param {readonly TestSource[]} sources of the tests that name the row
 * @param {ReadonlySet<string>} codes the error codes of the wire
 * @returns {string[]}
 */
export function disagreements(row, sources, codes) {
  const { says, does = '' } = row.deviates ?? {};
  /** @param {string} claim */
  const isOutcome = (claim) => /^\d{3}$/.test(claim) || codes.has(claim);
  /** @param {string} claim */
  const isNamed = (claim) =>
    sources.some(({ text, asserted }) => names(isOutcome(claim) ? asserted : text, claim));
  const missing = [...claims(row.row), ...claims(does)].filter(
    (claim) => claim !== says && !isNamed(claim),
  );
  const problems = missing.map((claim) => `${row.id}: no test that names it has \`${claim}\``);
  if (says !== undefined && isNamed(says)) {
    problems.push(`${row.id}: it deviates from \`${says}\`, yet its tests have that`);
  }
  return problems;
}

/** As a whole: `/menu` is not named by `/{id}/menu`. @param {string} source @param {string} claim */
function names(source, claim) {
  const text = claim.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = /[\w}]$/.test(claim) ? '(?![\\w/-])' : '';
  return new RegExp(`(?<![\\w/-]|(?<!\\$)\\{\\w+\\})${text}${end}`).test(source);
}
