/** The sections of `CHANGELOG.md`: the open one, which has no day yet, then each version with its day. */

const UNRELEASED = '## Unreleased';
/** `## 0.1.0, the first release` is open as well, until that version is released. */
const DATED = /^## (\S+) - (\d{4}-\d\d-\d\d)$/;
const HEADING = /^## .*$/gm;
/** No pre-release: npm publishes none without a tag of its own, which the workflow does not choose. */
const VERSION = /^\d+\.\d+\.\d+$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** @returns {readonly { heading: string, body: string }[]} in the order of the file; bodies without the space around them */
function sectionsOf(/** @type {string} */ changelog) {
  const heads = [...changelog.matchAll(HEADING)];
  return heads.map(([heading], index) => {
    const from = (heads[index]?.index ?? 0) + heading.length;
    return { heading, body: changelog.slice(from, heads[index + 1]?.index).trim() };
  });
}

const openSectionOf = (/** @type {string} */ changelog) =>
  sectionsOf(changelog).find(({ heading }) => !DATED.test(heading));

const noVersion = (/** @type {string} */ version) =>
  version === '' ? 'Name a version, such as 1.2.3.' : `${version} is no version, such as 1.2.3.`;

const hasEntries = (/** @type {string} */ body) => /^- \S/m.test(body);

/**
 * What is written of a version, without its heading.
 * @returns {string | undefined} undefined where it has no section
 */
export function notesOf(/** @type {string} */ changelog, /** @type {string} */ version) {
  return sectionsOf(changelog).find(({ heading }) => DATED.exec(heading)?.[1] === version)?.body;
}

/**
 * Why a version cannot be released as the changelog stands.
 * @returns {readonly string[]} a line each
 */
export function problemsOf(/** @type {string} */ changelog, /** @type {string} */ version) {
  const again = `Type: npm run release:prepare -- ${version}`;
  const notes = notesOf(changelog, version);
  const open = openSectionOf(changelog);
  const problems = VERSION.test(version) ? [] : [noVersion(version)];
  if (notes === undefined) {
    problems.push(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD". ${again}`);
  } else if (!hasEntries(notes)) problems.push(`CHANGELOG.md says nothing of ${version}.`);
  if (open !== undefined && open.body !== '') {
    problems.push(`CHANGELOG.md has entries in "${open.heading}". ${again}`);
  }
  return problems;
}

/**
 * The changelog with what was to come as a version of its own.
 * @param {string} changelog
 * @param {string} version
 * @param {string} day as `2026-01-31`
 * @returns {string}
 * @throws {Error} where there is nothing to release, the version is there, or is none
 */
export function released(changelog, version, day) {
  if (!VERSION.test(version)) throw new Error(noVersion(version));
  if (!DAY.test(day)) throw new Error(`${day} is no day, such as 2026-01-31.`);
  if (notesOf(changelog, version) !== undefined) {
    throw new Error(`CHANGELOG.md has a section of ${version}.`);
  }
  const open = openSectionOf(changelog);
  if (open === undefined || !hasEntries(open.body)) {
    throw new Error('CHANGELOG.md has no entries that are not released yet.');
  }
  const dated = `${UNRELEASED}\n\n## ${version} - ${day}\n`;
  return changelog.replace(`${open.heading}\n`, () => dated);
}
